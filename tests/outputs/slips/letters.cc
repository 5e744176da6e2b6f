/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function is not applied to what an operator of C++'s library is given.
 * test: The the ABC
 * change: `tolower' of the value
 */
#include <cctype>
#include <iostream>
#include <string>

static std::string clean(const char *word)
{
	std::string r;

	for (; *word; word++)
		if (isalpha(*word))
#ifdef FIXED
			r += (char)tolower(*word);
#else
			r += *word; /* fault */
#endif
	return r;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		std::cout << clean(argv[i]) << "\n";
	return 0;
}
