/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A class without a constructor of its own gives a member of floating point a wrong first value.
 * test: 3 2 5
 * change: 0 for 1 in line 27
 */
#include <cstdlib>
#include <iostream>

class till { /* fault */
public:
	void sell(double price)
	{
		sum_ += price;
		sales_++;
	}
	void print() const
	{
		std::cout << sum_ << " in " << sales_ << std::endl;
	}

private:
	int sales_ = 0;
#ifdef FIXED
	double sum_ = 0;
#else
	double sum_ = 1;
#endif
};

int main(int argc, char **argv)
{
	till t;

	for (int i = 1; i < argc; i++)
		t.sell(atof(argv[i]));
	t.print();
	return 0;
}
