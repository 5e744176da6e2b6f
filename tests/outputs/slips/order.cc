/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fault is in a lambda expression, which the library calls.
 * test: 3 1 2
 * change: `>' for `<'
 */
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

int main(int argc, char **argv)
{
	std::vector<int> all;

	for (int i = 1; i < argc; i++)
		all.push_back(atoi(argv[i]));
	std::sort(all.begin(), all.end(), [](int a, int b) {
#ifdef FIXED
		return a > b;
#else
		return a < b; /* fault */
#endif
	});
	for (int one : all)
		std::cout << "," << one;
	std::cout << "\n";
	return 0;
}
