/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A member function forgets to count a member of its object, which no other line counts.
 * test: 3 -1 2 5
 * change: `kept_++' put behind it
 */
#include <cstdlib>
#include <iostream>

class filter {
public:
	void take(int n)
	{
		if (n >= 0) {
			sum_ += n; /* fault */
#ifdef FIXED
			kept_++;
#endif
		}
		last_ = n;
	}
	int kept() const { return kept_; }
	int sum() const { return sum_; }

private:
	int sum_ = 0, kept_ = 0, last_ = 0;
};

int main(int argc, char **argv)
{
	filter f;

	for (int i = 1; i < argc; i++)
		f.take(atoi(argv[i]));
	std::cout << f.sum() << " in " << f.kept() << "\n";
	return 0;
}
