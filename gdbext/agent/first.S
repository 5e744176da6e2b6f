/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where stubs lead in a thread that has no struct agent_thread yet: makes one
 * and goes on as the stub would have gone on.  Uses the program's stack below
 * the red zone; all registers are as they were.
 */
	.text
	.hidden	agent_first_entry
	.globl	agent_first_entry
	.type	agent_first_entry, @function
agent_first_entry:
	lea	-136(%rsp), %rsp	/* the last eight bytes: where to go */
	pushfq
	push	%rax
	push	%rcx
	push	%rdx
	push	%rbx
	push	%rbp
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	cld
	mov	%rsp, %rbx
	and	$-64, %rsp
	call	thread_first
	mov	%rbx, %rsp
	mov	%rax, 96(%rsp)
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rbp
	pop	%rbx
	pop	%rdx
	pop	%rcx
	pop	%rax
	popfq
	ret	$128
	.size	agent_first_entry, .-agent_first_entry
	.section .note.GNU-stack,"",@progbits
