/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's vector registers, which stay in the processor all the time. */
#include "gdbext/agent/agent.h"

void xmm_store(uint8_t (*to)[16])
{
	__asm__ volatile("movups %%xmm0,(%0)\n\tmovups %%xmm1,16(%0)\n\t"
			 "movups %%xmm2,32(%0)\n\tmovups %%xmm3,48(%0)\n\t"
			 "movups %%xmm4,64(%0)\n\tmovups %%xmm5,80(%0)\n\t"
			 "movups %%xmm6,96(%0)\n\tmovups %%xmm7,112(%0)"
			 :
			 : "r"(to)
			 : "memory");
}

void xmm_store_results(uint8_t (*to)[16])
{
	__asm__ volatile("movups %%xmm0,(%0)\n\tmovups %%xmm1,16(%0)" : : "r"(to) : "memory");
}

void xmm_load(const uint8_t (*from)[16])
{
	__asm__ volatile("movups (%0),%%xmm0\n\tmovups 16(%0),%%xmm1\n\t"
			 "movups 32(%0),%%xmm2\n\tmovups 48(%0),%%xmm3\n\t"
			 "movups 64(%0),%%xmm4\n\tmovups 80(%0),%%xmm5\n\t"
			 "movups 96(%0),%%xmm6\n\tmovups 112(%0),%%xmm7"
			 :
			 : "r"(from)
			 : "memory");
}

static bool cpu_has_avx(void)
{
	uint32_t a = 1, b, c = 0, d;
	const uint32_t needed = 1u << 27 | 1u << 28; /* OSXSAVE, AVX */

	__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if ((c & needed) != needed)
		return false;
	__asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	return (a & 6) == 6;
}

void vector_start(void)
{
	agent.has_avx = cpu_has_avx();
}

#define EACH(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

static void vector_move(unsigned reg, uint8_t *buffer, bool load)
{
	switch (reg * 4 + agent.has_avx * 2 + load) {
#define MOVE(n)                                                                          \
	case n * 4:                                                                      \
		__asm__ volatile("movups %%xmm" #n ",(%0)" : : "r"(buffer) : "memory");  \
		break;                                                                   \
	case n * 4 + 1:                                                                  \
		__asm__ volatile("movups (%0),%%xmm" #n : : "r"(buffer) : "memory");     \
		break;                                                                   \
	case n * 4 + 2:                                                                  \
		__asm__ volatile("vmovdqu %%ymm" #n ",(%0)" : : "r"(buffer) : "memory"); \
		break;                                                                   \
	case n * 4 + 3:                                                                  \
		__asm__ volatile("vmovdqu (%0),%%ymm" #n : : "r"(buffer) : "memory");    \
		break;
		EACH(MOVE)
#undef MOVE
	default:
		break;
	}
}

void vector_patch(unsigned reg, unsigned size, const uint8_t *value)
{
	uint8_t buffer[32];

	if (size > 16 && !agent.has_avx)
		size = 16;
	/* A legacy move leaves what is above alone, a 32-byte one carries it
	 * along; what lies above 32 bytes is lost, and no action can name it. */
	vector_move(reg, buffer, false);
	__builtin_memcpy(buffer, value, size);
	vector_move(reg, buffer, true);
}
