// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for Boost.Test's minimal runner, whose package brings all of Boost.
#include <iostream>

// The real one lies in this folder, by which its functions are known.
#line 9 "/usr/include/boost/test/minimal.hpp"

namespace boost
{
namespace minimal_test
{
inline int &errors_counter()
{
	static int counter;

	return counter;
}
inline void report_error(const char *expression, const char *file, int line, const char *function)
{
	std::cerr << file << ":" << line << ": error: " << expression << " in " << function << "\n";
	errors_counter()++;
}
}
}
#define BOOST_CHECK(e) \
	((e) ? (void)0 : boost::minimal_test::report_error(#e, __FILE__, __LINE__, __func__))
int test_main(int argc, char *argv[]);
int main(int argc, char **argv)
{
	test_main(argc, argv);
	return boost::minimal_test::errors_counter() ? 201 : 0;
}
