/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sum begins with nothing and not with a member of the object, which the function names nowhere.
 * test: 300 200 4500
 * change: `fees_' stored
 */
#include <cstdlib>
#include <iostream>

class bank {
	long held_[4] = { 0 }, fees_ = 0;
	int n_ = 0;

public:
	void take(long cents)
	{
		long fee = cents / 100;

		held_[n_++] = cents - fee;
		fees_ += fee;
	}
	long total() const
	{
#ifdef FIXED
		long sum = fees_;
#else
		long sum = 0; /* fault */
#endif
		for (int i = 0; i < n_; i++)
			sum += held_[i];
		return sum;
	}
};

int main(int argc, char **argv)
{
	bank b;

	for (int i = 1; i < argc && i < 5; i++)
		b.take(atol(argv[i]));
	std::cout << "total " << b.total() << "\n";
	return 0;
}
