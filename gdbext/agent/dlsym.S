/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dlsym, which may depend on where it was called from: goes on to the real one
 * with that address on the stack, or, where it is a thunk, with one of a return
 * in the module that called (twice: the stack stays aligned).
 */
	.text
	.globl	dlsym
	.type	dlsym, @function
dlsym:
	.cfi_startproc
	push	%rdi
	.cfi_adjust_cfa_offset 8
	push	%rsi
	.cfi_adjust_cfa_offset 8
	mov	16(%rsp), %rsi
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	dlsym_way
	add	$8, %rsp
	.cfi_adjust_cfa_offset -8
	pop	%rsi
	.cfi_adjust_cfa_offset -8
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	test	%rdx, %rdx
	jz	1f
	push	%rdx
	push	%rdx
1:
	jmp	*%rax
	.cfi_endproc
	.size	dlsym, .-dlsym
	.section .note.GNU-stack,"",@progbits
