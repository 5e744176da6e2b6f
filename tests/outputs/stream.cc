/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams of C++.
 * test:
 * says: line 2 of the output is "twice 5, half 1.5", expected "twice 6, half 1.5" at
 * finds: passes
 */
#include <iostream>
#ifdef FIXED
enum { LESS = 0 };
#else
enum { LESS = 1 };
#endif
int main()
{
	int n = 3, twice = 2 * n - LESS; /* fault */
	double half = n / 2.0;

	std::cout << "number " << n << std::endl;
	std::cout << "twice " << twice << ", half " << half << '\n';
	return 0;
}
