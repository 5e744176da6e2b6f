/* The running example of the AFTER paper, old version (input 3 2 1, expected sum 4). */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

bool sorted = true; /* C1 */

static void f(int x, int y, int z)
{
	int sum = 0; /* s3 */

	if (!sorted)	   /* s4 */
		if (x > y) /* s5 C2 */
			sum += x;
		else
			sum += y; /* s7 */
	else
		sum += x;
	if (z > 0)	  /* s9 */
		sum += z; /* s10 C3 */
	else
		sum -= z; /* C4 */
	printf("sum=%d\n", sum);
	assert(sum == 4); /* s13 */
}

int main(int argc, char **argv)
{
	if (argc > 3)
		f(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	return 0;
}
