/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Something is not counted; functions that may not change their object cannot have been meant to.
 * test: 3 2 5
 * change: `scaled_++' put behind it
 */
#include <cstdlib>
#include <iostream>

class sum {
public:
	void scale(double by)
	{
		total_ *= by; /* fault */
#ifdef FIXED
		scaled_++;
#endif
	}
	void add(double d)
	{
		total_ += d;
	}
	bool empty() const
	{
		return total_ == 0;
	}
	void print() const
	{
		if (empty())
			std::cout << "nothing";
		std::cout << total_ << " " << scaled_ << std::endl;
	}

private:
	double total_ = 0;
	int scaled_ = 0;
};

int main(int argc, char **argv)
{
	sum s;

	for (int i = 1; i < argc; i++)
		s.add(atof(argv[i]));
	s.scale(2);
	s.print();
	return 0;
}
