/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions for the differential test of the lifter, assembled into a
 * section of their own: one byte length, the bytes, the text.  Memory operands
 * go through %r15 (middle of a buffer) and %r14 (a small index); rsi and rdi
 * of string instructions point into the buffer too, rsp into a stack.
 */
#ifndef TESTS_SUPPORT_INSNS_H
#define TESTS_SUPPORT_INSNS_H

#define I(text)                                        \
	__asm__(".pushsection insns,\"a\",@progbits\n" \
		".byte 2f-1f\n1: " text "\n2: .asciz \"" text "\"\n.popsection\n");

/* Register and memory forms of a two-operand instruction in all widths. */
#define WIDTHS(op)                     \
	I(op "b %cl,%al")              \
	I(op "b %ah,%bl")              \
	I(op "b %dl,%ch")              \
	I(op "b %r9b,%sil")            \
	I(op "w %cx,%ax")              \
	I(op "l %ecx,%eax")            \
	I(op "l %r9d,%r12d")           \
	I(op "q %rcx,%rax")            \
	I(op "q %r9,%r12")             \
	I(op "b (%r15),%al")           \
	I(op "w 2(%r15),%ax")          \
	I(op "l 4(%r15,%r14,4),%eax")  \
	I(op "q 8(%r15,%r14,8),%rax")  \
	I(op "b %cl,1(%r15)")          \
	I(op "w %cx,6(%r15)")          \
	I(op "l %ecx,12(%r15,%r14,2)") \
	I(op "q %rcx,(%r15,%r14,1)")   \
	IMMEDIATES(op)

#define IMMEDIATES(op)              \
	I(op "b $5,%al")            \
	I(op "b $-3,%ch")           \
	I(op "w $0x1234,%ax")       \
	I(op "w $-1,%dx")           \
	I(op "l $5,%eax")           \
	I(op "l $0x7fffffff,%r11d") \
	I(op "q $-1,%rax")          \
	I(op "q $0x12345678,%r12")  \
	I(op "b $0x80,3(%r15)")     \
	I(op "w $0x101,(%r15)")     \
	I(op "l $-2,(%r15)")        \
	I(op "q $100,(%r15)")

#define ONE(op)                 \
	I(op "b %al")           \
	I(op "b %ch")           \
	I(op "w %dx")           \
	I(op "l %ecx")          \
	I(op "q %rbx")          \
	I(op "q %r9")           \
	I(op "b 1(%r15)")       \
	I(op "w (%r15)")        \
	I(op "l (%r15,%r14,4)") \
	I(op "q (%r15)")

/* By 1, by an immediate, by cl. */
#define SHIFTS(op)           \
	I(op "b %al")        \
	I(op "w %dx")        \
	I(op "l %ebx")       \
	I(op "q %r9")        \
	I(op "b $3,%ah")     \
	I(op "w $7,%dx")     \
	I(op "l $31,%ebx")   \
	I(op "l $2,%eax")    \
	I(op "q $33,%rdx")   \
	I(op "q $63,%r8")    \
	I(op "b %cl,%al")    \
	I(op "w %cl,%dx")    \
	I(op "l %cl,%ebx")   \
	I(op "q %cl,%r9")    \
	I(op "l %cl,(%r15)") \
	I(op "q (%r15)")     \
	I(op "l $4,8(%r15)") \
	I(op "b $1,(%r15)")

#define WIDE(op)              \
	I(op "w %cx,%ax")     \
	I(op "l %ecx,%eax")   \
	I(op "q %rcx,%rax")   \
	I(op "w (%r15),%ax")  \
	I(op "l (%r15),%r8d") \
	I(op "q (%r15),%rdx")

#define CONDITION(cc)                \
	I("set" cc " %al")           \
	I("set" cc " (%r15)")        \
	I("cmov" cc "w %cx,%ax")     \
	I("cmov" cc "l %ecx,%eax")   \
	I("cmov" cc "q %rcx,%rax")   \
	I("cmov" cc "l (%r15),%ebx") \
	I("j" cc " .+64")

#define VECTOR(op)            \
	I(op " %xmm1,%xmm0")  \
	I(op " (%r15),%xmm3") \
	I(op " %xmm9,%xmm12")

/* ---- integer ---- */

WIDTHS("add")
WIDTHS("sub")
WIDTHS("adc")
WIDTHS("sbb")
WIDTHS("and")
WIDTHS("or")
WIDTHS("xor")
WIDTHS("cmp")
WIDTHS("mov")
I("testb %cl,%al")
I("testw %cx,%ax")
I("testl %ecx,%eax")
I("testq %rcx,%rax")
I("testb $0x80,%ah")
I("testl $0x1000,%ebx")
I("testq $-16,%rbx")
I("testb $1,(%r15)")
I("testl %edx,(%r15)")
I("xorl %eax,%eax")
I("subq %rcx,%rcx")
I("sbbl %eax,%eax")
ONE("inc")
ONE("dec")
ONE("neg")
ONE("not")
ONE("mul")
ONE("imul")
ONE("div")
ONE("idiv")
WIDE("imul")
I("imulw $100,%cx,%ax")
I("imull $-7,%ecx,%eax")
I("imulq $0x1234567,%rcx,%rax")
I("imull $3,(%r15),%ebx")
I("imulq $10,(%r15),%rbx")
SHIFTS("shl")
SHIFTS("shr")
SHIFTS("sar")
SHIFTS("rol")
SHIFTS("ror")
SHIFTS("rcl")
SHIFTS("rcr")
I("shldl $5,%ecx,%eax")
I("shldq $40,%rcx,%rax")
I("shldl %cl,%edx,%eax")
I("shrdl $9,%ecx,%eax")
I("shrdq $1,%rcx,%rax")
I("shrdq %cl,%rdx,(%r15)")
I("xchgb %al,%ch")
I("xchgw %ax,%dx")
I("xchgl %ecx,%eax")
I("xchgq %r9,%rax")
I("xchgl %ecx,(%r15)")
I("leal 4(%rax,%rcx,2),%edx")
I("leaq -8(%r9,%r10,8),%rdx")
I("leaq 64(%rip),%rdx")
I("movl 0x20(%rip),%edx")
I("movabsq $0x123456789abcdef0,%r10")
I("movzbw %cl,%ax")
I("movzbl %ah,%ecx")
I("movzbq %sil,%rax")
I("movzwl %cx,%eax")
I("movzwq (%r15),%rax")
I("movzbl (%r15),%eax")
I("movsbw %cl,%ax")
I("movsbl %ah,%ecx")
I("movsbq %sil,%rax")
I("movswl %cx,%eax")
I("movswq (%r15),%rax")
I("movslq %ecx,%rax")
I("movslq (%r15),%rax")
I("cbtw")
I("cwtl")
I("cltq")
I("cwtd")
I("cltd")
I("cqto")
I("bswap %eax")
I("bswap %r9")
I("pushq %rax")
I("pushq $-5")
I("pushq $0x12345")
I("pushq (%r15)")
I("pushw %ax")
I("pushq %rsp")
I("popq %rbx")
I("popq (%r15)")
I("popw %cx")
I("popq %rsp")
I("leave")
I("nop")
I("nopw (%rax,%rax,1)")
I("pause")
I("endbr64")
I("lahf")
I("sahf")
I("clc")
I("stc")
I("cmc")
I("cld")
I("movsb")
I("movsl")
I("movsq")
I("stosb")
I("stosw")
I("stosq")
I("lodsb")
I("lodsl")
I("scasb")
I("scasq")
I("cmpsb")
I("cmpsl")
I("xlatb")
I("btl $5,%eax")
I("btq $40,%rax")
I("btl %ecx,%eax")
I("btq %rcx,%rdx")
I("btl $7,(%r15)")
I("btsl $5,%eax")
I("btsq %rcx,%rdx")
I("btrl %ecx,%eax")
I("btrq $63,%rax")
I("btcl %ecx,%eax")
I("btcl $3,(%r15)")
WIDE("bsf")
WIDE("bsr")
WIDE("tzcnt")
WIDE("lzcnt")
WIDE("popcnt")
I("andnl %ecx,%edx,%eax")
I("andnq (%r15),%rdx,%rax")
I("blsil %ecx,%eax")
I("blsiq %rcx,%rax")
I("blsrl %ecx,%eax")
I("blsrq (%r15),%rax")
I("blsmskl %ecx,%eax")
I("bextrl %ecx,%edx,%eax")
I("bzhil %ecx,%edx,%eax")
I("bzhiq %rcx,%rdx,%rax")
I("rorxl $7,%ecx,%eax")
I("rorxq $40,%rcx,%rax")
I("shlxl %ecx,%edx,%eax")
I("shrxq %rcx,%rdx,%rax")
I("sarxl %ecx,(%r15),%eax")
I("mulxq %rcx,%rbx,%rax")
I("adcxl %ecx,%eax")
I("adoxq %rcx,%rax")
I("movbel (%r15),%eax")
I("movbeq %rax,(%r15)")
CONDITION("o")
CONDITION("no")
CONDITION("b")
CONDITION("ae")
CONDITION("e")
CONDITION("ne")
CONDITION("be")
CONDITION("a")
CONDITION("s")
CONDITION("ns")
CONDITION("p")
CONDITION("np")
CONDITION("l")
CONDITION("ge")
CONDITION("le")
CONDITION("g")
I("jrcxz .+64")
I("jecxz .+64")
I("loop .+64")
I("loope .+64")
I("loopne .+64")
I("jmp .+64")
I("xaddl %ecx,%eax")
I("xaddq %rcx,(%r15)")
I("lock xaddl %ecx,(%r15)")
I("lock addl $3,(%r15)")
I("lock orq %rcx,(%r15)")
I("lock incl (%r15)")
I("lock decq (%r15)")
I("cmpxchgl %ecx,%ebx")
I("cmpxchgq %rcx,(%r15)")
I("lock cmpxchgl %ecx,(%r15)")
I("lock cmpxchgb %cl,(%r15)")
I("lock cmpxchg8b (%r15)")
I("lock cmpxchg16b (%r15)")

/* ---- vectors ---- */

VECTOR("movdqu")
VECTOR("movaps")
VECTOR("movups")
VECTOR("movdqa")
I("movdqu %xmm2,(%r15)")
I("movaps %xmm2,16(%r15)")
I("movd %ecx,%xmm0")
I("movd %xmm0,%ecx")
I("movq %rcx,%xmm0")
I("movq %xmm0,%rcx")
I("movq %xmm1,%xmm0")
I("movq (%r15),%xmm0")
I("movq %xmm0,(%r15)")
I("movd (%r15),%xmm0")
I("movlps (%r15),%xmm0")
I("movhps (%r15),%xmm0")
I("movhps %xmm0,(%r15)")
I("movhlps %xmm1,%xmm0")
I("movlhps %xmm1,%xmm0")
I("movss %xmm1,%xmm0")
I("movss (%r15),%xmm0")
I("movss %xmm0,(%r15)")
I("movsd %xmm1,%xmm0")
I("movsd (%r15),%xmm0")
I("movsd %xmm0,(%r15)")
VECTOR("pxor")
VECTOR("por")
VECTOR("pand")
VECTOR("pandn")
VECTOR("xorps")
VECTOR("andps")
VECTOR("andpd")
VECTOR("orps")
VECTOR("andnps")
I("pxor %xmm0,%xmm0")
I("pcmpeqd %xmm0,%xmm0")
VECTOR("paddb")
VECTOR("paddw")
VECTOR("paddd")
VECTOR("paddq")
VECTOR("psubb")
VECTOR("psubw")
VECTOR("psubd")
VECTOR("psubq")
VECTOR("pmullw")
VECTOR("pmulld")
VECTOR("pmuludq")
VECTOR("pcmpeqb")
VECTOR("pcmpeqw")
VECTOR("pcmpeqd")
VECTOR("pcmpeqq")
VECTOR("pcmpgtb")
VECTOR("pcmpgtw")
VECTOR("pcmpgtd")
VECTOR("pcmpgtq")
VECTOR("pminub")
VECTOR("pmaxub")
VECTOR("pminsw")
VECTOR("pmaxsw")
VECTOR("pminud")
VECTOR("pmaxsd")
VECTOR("punpcklbw")
VECTOR("punpcklwd")
VECTOR("punpckldq")
VECTOR("punpcklqdq")
VECTOR("punpckhbw")
VECTOR("punpckhdq")
VECTOR("punpckhqdq")
VECTOR("unpcklps")
VECTOR("unpcklpd")
VECTOR("unpckhpd")
I("pshufd $0x4e,%xmm1,%xmm0")
I("pshuflw $0x1b,%xmm1,%xmm0")
I("pshufhw $0xe4,%xmm1,%xmm0")
I("shufps $0x8d,%xmm1,%xmm0")
I("shufpd $1,%xmm1,%xmm0")
I("psllw $3,%xmm0")
I("pslld $30,%xmm0")
I("psllq $33,%xmm0")
I("psrlw $15,%xmm0")
I("psrld $1,%xmm0")
I("psrlq $63,%xmm0")
I("psraw $4,%xmm0")
I("psrad $31,%xmm0")
I("pslldq $5,%xmm0")
I("psrldq $8,%xmm0")
I("psrldq $4,%xmm0")
I("pmovmskb %xmm1,%eax")
I("movmskps %xmm1,%eax")
I("movmskpd %xmm1,%eax")
I("pextrw $3,%xmm1,%eax")
I("pextrd $2,%xmm1,%eax")
I("pextrq $1,%xmm1,%rax")
I("pinsrw $5,%eax,%xmm1")
I("pinsrd $1,%ecx,%xmm1")
I("pinsrq $1,%rcx,%xmm1")
VECTOR("pmovzxbw")
VECTOR("pmovzxwd")
VECTOR("pmovsxdq")
VECTOR("pmovsxwd")
I("movddup %xmm1,%xmm0")
I("palignr $4,%xmm1,%xmm0")
I("vpxor %xmm1,%xmm2,%xmm3")
I("vpaddd %ymm1,%ymm2,%ymm3")
I("vmovdqu (%r15),%ymm4")
I("vmovdqu %ymm4,(%r15)")
I("vpand %ymm1,%ymm2,%ymm3")
I("vpcmpeqb %ymm1,%ymm2,%ymm3")
I("vextracti128 $1,%ymm1,%xmm2")
I("vinserti128 $1,%xmm1,%ymm2,%ymm3")
I("vzeroupper")

/* ---- floating point ---- */

VECTOR("addsd")
VECTOR("subsd")
VECTOR("mulsd")
VECTOR("divsd")
VECTOR("sqrtsd")
VECTOR("minsd")
VECTOR("maxsd")
VECTOR("addss")
VECTOR("mulss")
VECTOR("divss")
VECTOR("sqrtss")
VECTOR("maxss")
VECTOR("addpd")
VECTOR("mulps")
VECTOR("subps")
VECTOR("divpd")
VECTOR("ucomisd")
VECTOR("comisd")
VECTOR("ucomiss")
VECTOR("cmpltsd")
VECTOR("cmpeqss")
VECTOR("cmplepd")
VECTOR("cvtss2sd")
VECTOR("cvtsd2ss")
I("cvtsi2sdl %ecx,%xmm0")
I("cvtsi2sdq %rcx,%xmm0")
I("cvtsi2ssl %ecx,%xmm0")
I("cvtsi2ssq (%r15),%xmm0")
I("cvttsd2si %xmm1,%eax")
I("cvttsd2si %xmm1,%rax")
I("cvttss2si %xmm1,%eax")
I("cvtsd2si %xmm1,%rax")
I("roundsd $1,%xmm1,%xmm0")
I("vfmadd213sd %xmm1,%xmm2,%xmm3")

#undef I
#endif
