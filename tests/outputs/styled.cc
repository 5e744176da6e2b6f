/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams of C++ that were told of a width, of what fills it, and how precise numbers are.
 * test:
 * says: line 3 of the output is "mean....  1.50", expected "mean....  2.00" at
 * finds: passes
 */
#include <iomanip>
#include <iostream>
#include <string>
#ifdef FIXED
enum { MORE = 0 };
#else
enum { MORE = 1 };
#endif
int main()
{
	const std::string name = "mean";
	int n = 3;
	double sum = 6, mean = sum / (n + MORE); /* fault */

	std::cout << std::setw(8) << std::setfill('0') << std::hex << 255 << std::setfill(' ') << '\n';
	std::cout << std::dec << std::setw(5) << n << std::boolalpha << std::setw(6) << (n == 3) << '\n';
	std::cout << std::left << std::setw(8) << std::setfill('.') << name << std::right << std::setfill(' ')
		  << std::fixed << std::setprecision(2) << std::setw(6) << mean << '\n';
	return 0;
}
