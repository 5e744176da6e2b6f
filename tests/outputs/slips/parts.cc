/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A part of an object in braces is wrong: the compiler says that it stands where the function ends.
 * test: 3 2 5
 * change: 0 for 1
 */
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

struct lot {
	std::string name;
	int pieces;
};

struct shelf {
	void put(const std::string &name, int pieces)
	{
#ifdef FIXED
		lots.push_back({ name, pieces });
#else
		lots.push_back({ name, pieces + 1 }); /* fault */
#endif
	}
	std::vector<lot> lots;
};

int main(int argc, char **argv)
{
	shelf s;
	int all = 0;

	for (int i = 1; i < argc; i++)
		s.put("lot", atoi(argv[i]));
	for (const lot &l : s.lots)
		all += l.pieces;
	std::cout << all << std::endl;
	return 0;
}
