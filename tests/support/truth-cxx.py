# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a random C++ program to standard output: truth-cxx.py SEED.  It has classes with base
# classes, private members, references, templates, namespaces, scoped enums, overloaded operators
# and unique pointers; its last assertion fails.
import random
import sys

r = random.Random(104729 * int(sys.argv[1]))
print(r"""#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <memory>
namespace shop {
enum class Size { Small, Large = 5 };
struct Thing {
	int id = %d;
	Size size = Size::Small;
	virtual ~Thing() = default;
	virtual int price() const { return id * 2; }
};
struct Part : Thing {
	double weight = 1.5;
	bool fragile = false;
	int price() const override { int p = id + 7; return p; }
	void grow(int by) { id += by; weight = weight * by; }
};
template <typename T> struct Cell { T value; Cell *next; };
template <typename T> T larger(const T &a, const T &b) { return a > b ? a : b; }
class Store {
public:
	explicit Store(int start) : count_(start), top_(nullptr) {}
	void limit(int most) { most_ = most; rows_[most & 3] = most; }
	int most() const { int n = 0; for (const int &row : rows_) n += row; return n + most_; }
	void add(const Part &part) { count_ += part.id; auto *c = new Cell<int>{part.id, top_}; top_ = c; }
	int sum() const { int s = 0; for (auto *c = top_; c; c = c->next) s += c->value; return s; }
	int &count() { return count_; }
private:
	int count_;
	Cell<int> *top_;
	int most_ = 9, rows_[4] = { 1, 2, 3, 4 };
};
}
struct Money {
	long cents;
	Money operator+(const Money &o) const { Money m{cents + o.cents}; return m; }
	bool operator<(const Money &o) const { return cents < o.cents; }
};
static void twice(int &n, const double &by) { n = n * 2; n += (int)by; }""" % r.randint(1, 9))

INT = ["x", "part.id", "ref", "owned->id", "store.count()", "y", "*where"]
SRC = INT + ["store.sum()", "store.most()", "thing->price()", "shop::larger(x, y)", "argc"]


def statement():
    return r.choice([
        lambda: "%s = %s;" % (r.choice(INT), r.choice(SRC)),
        lambda: "%s = %s %s %d;" % (r.choice(INT), r.choice(SRC), r.choice("+-*"), r.randint(1, 30)),
        lambda: "%s += %d;" % (r.choice(INT), r.randint(-9, 30)),
        lambda: "twice(%s, %s);" % (r.choice(INT), r.choice(["d", "part.weight", "2.5"])),
        lambda: "part.grow(%s);" % r.choice(SRC),
        lambda: "store.limit(%s);" % r.choice(SRC),
        lambda: "owned->weight = d * %d;" % r.randint(2, 9),
        lambda: "store.add(%s);" % r.choice(["part", "*owned"]),
        lambda: "part.size = %s;" % r.choice(["shop::Size::Large", "owned->size"]),
        lambda: "owned->fragile = x > %d;" % r.randint(-5, 60),
        lambda: "cash = cash + Money{%d};" % r.randint(1, 500),
        lambda: "if (cash < Money{%s})\n\t\tx++;" % r.choice(["200", "x", "y"]),
        lambda: "d = shop::larger(d, part.weight);",
        lambda: "for (auto &n : numbers)\n\t\tn += x;",
        lambda: "y = numbers[%d];" % r.randrange(3),
        lambda: "where = %s;" % r.choice(["&x", "&numbers[1]", "&part.id"]),
    ])()


print("""int main(int argc, char **argv)
{
	int x = atoi(argv[2]), y = %d, numbers[3] = { 1, 2, 3 }, &ref = %s, *where = &x;
	double d = 2.5;
	shop::Part part;
	auto owned = std::make_unique<shop::Part>();
	shop::Thing *thing = owned.get();
	shop::Store store(%d);
	Money cash{150};""" % (r.randint(-20, 40), r.choice(["x", "y", "numbers[2]"]), r.randint(0, 9)))
for _ in range(14):
    print("\t" + statement())
print("""	std::printf("%%d %%g %%ld\\n", x + y + store.sum(), d, cash.cents);
	assert(%s);
	return thing->price();
}""" % r.choice(["x == 12345 && part.fragile", "store.count() == 31337", "cash.cents == 1",
                 "y == 4711 || owned->weight == 1e9"]))
