/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A class gives one of its members a wrong first value, which its constructor stores.
 * test: 3 2 5
 * change: 0 for 1 in line 29
 */
#include <cstdlib>
#include <iostream>

class till {
public:
	explicit till(double rate) : rate_(rate) {} /* fault */
	void sell(int price)
	{
		sum_ += price * rate_;
		sales_++;
	}
	void print() const
	{
		std::cout << sum_ << " in " << sales_ << std::endl;
	}

private:
	double rate_;
	int sum_ = 0;
#ifdef FIXED
	int sales_ = 0;
#else
	int sales_ = 1;
#endif
};

int main(int argc, char **argv)
{
	till t(2);

	for (int i = 1; i < argc; i++)
		t.sell(atoi(argv[i]));
	t.print();
	return 0;
}
