/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No line ends behind a row.
 *
 * test: 1 2 3 4 5 6
 * change: `printf("\n")' put behind the loop
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const int columns = 3;

	for (int i = 0; i < columns; i++)
		printf("%5c", 'a' + i);
	printf("\n");
	for (int row = 0; (row + 1) * columns < argc; row++) {
		for (int i = 0; i < columns; i++)
			printf("%5d", atoi(argv[row * columns + i + 1])); /* fault */
#ifdef FIXED
		printf("\n");
#endif
	}
	return 0;
}
