# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a random C++ program to standard output: truth-library.py SEED.  It has strings, vectors, maps
# and pairs of the standard library, two base classes, a virtual one, references as members and as
# parameters, members of the class, static members, lambdas, exceptions and range-based loops; its last
# assertion fails.
import random
import sys

r = random.Random(32452843 * int(sys.argv[1]))
print(r"""#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
struct Named { std::string name = "none"; int rank = %d; virtual ~Named() = default; virtual int worth() const { return rank; } };
struct Counted { static int made; int number; Counted() : number(++made) {} };
int Counted::made = %d;
struct Item : Named, Counted {
	int amount; double price;
	Item(const std::string &n, int a, double p) : amount(a), price(p) { name = n; }
	int worth() const override { int w = amount * 2 + rank; return w; }
	Item &add(int by) { amount += by; rank = by %% 7; return *this; }
};
enum class Way { Up = 1, Down };
struct View {
	Item &item; const int &limit; Way way = Way::Up;
	bool over() const { return item.amount > limit; }
	int step() { int by = way == Way::Up ? 3 : -2; item.add(by); return by; }
};
class Shelf {
	std::vector<Item> items_; std::map<std::string, int> index_; int total_ = 0; unsigned open_ : 3, full_ : 1;
public:
	Shelf() : open_(%d), full_(0) {}
	Item &put(const std::string &n, int a)
	{
		items_.emplace_back(n, a, a / 4.0);
		index_[n] = (int)items_.size();
		total_ += a;
		open_ += 1;
		return items_.back();
	}
	Item &at(size_t i) { return items_[i %% items_.size()]; }
	int of(const std::string &n) const { auto it = index_.find(n); return it == index_.end() ? -1 : it->second; }
	int sum() const { int s = 0; for (const auto &i : items_) s += i.worth(); return s; }
	int total() const { return total_ + (int)open_; }
};
static int middle(std::vector<int> values)
{
	int best = values[0];
	for (int v : values) { if (v > best) best = v; }
	return best;
}
static int checked(int n)
{
	try { if (n > %d) throw std::out_of_range("far"); n += 2; }
	catch (const std::out_of_range &e) { n = -1; }
	return n;
}
template <typename A, typename B> struct Both { A first; B second; A sum() const { A s = first + (A)second; return s; } };
static void raise(int &a, std::pair<int, double> &p) { a += p.first; p.second *= 2; p.first = a; }""" % (
    r.randint(1, 9), r.randint(0, 4), r.randint(0, 3), r.randint(10, 60)))

INT = ["x", "y", "ref", "item.amount", "shelf.at(0).amount", "numbers[1]", "numbers[k]", "pair.first",
       "both.first", "view.item.rank", "Counted::made", "grid[1][0]", "ages[\"ann\"]"]
SRC = INT + ["shelf.sum()", "shelf.total()", "item.worth()", "named->worth()", "(int)text.size()", "middle(numbers)",
             "shelf.of(\"pen\")", "view.limit", "both.sum()", "text[0]", "argc", "double_it(y)", "checked(x)"]


def statement():
    return r.choice([
        lambda: "%s = %s;" % (r.choice(INT), r.choice(SRC)),
        lambda: "%s = %s %s %d;" % (r.choice(INT), r.choice(SRC), r.choice("+-*"), r.randint(1, 30)),
        lambda: "%s += %s;" % (r.choice(INT), r.choice(SRC)),
        lambda: "shelf.put(%s, %s);" % (r.choice(["\"pen\"", "text", "std::string(\"ink\")"]), r.choice(SRC)),
        lambda: "text %s %s;" % (r.choice(["=", "+="]), r.choice(["\"more\"", "argv[1]", "item.name", "std::to_string(x)"])),
        lambda: "item.add(%s).add(%d);" % (r.choice(SRC), r.randint(1, 9)),
        lambda: "numbers.push_back(%s);" % r.choice(SRC),
        lambda: "for (auto &n : numbers)\n\t\tn += %s;" % r.choice(["x", "k", "2"]),
        lambda: "for (auto &one : ages) { y += one.second; }",
        lambda: "if (view.over())\n\t\tview.step();",
        lambda: "view.way = %s;" % r.choice(["Way::Up", "Way::Down"]),
        lambda: "raise(%s, pair);" % r.choice(["x", "y", "ref", "item.amount", "numbers[0]"]),
        lambda: "item.price = pair.second * %d;" % r.randint(2, 5),
        lambda: "{ int x = %s; Item item(text, x, 1.5); y += item.worth(); }" % r.choice(["y", "k", "7"]),
        lambda: "both.second = item.price + %s;" % r.choice(["x", "0.5"]),
        lambda: "k = (k + 1) %% %d;" % r.randint(1, 3),
        lambda: "flag = %s;" % r.choice(["text == \"more\"", "x > y", "numbers.empty()", "view.over()"]),
    ])()


print("""int main(int argc, char **argv)
{
	int x = atoi(argv[2]), y = %d, limit = %d;
	size_t k = 0;
	std::string text = "ab";
	std::vector<int> numbers{ 4, %d, 1 };
	numbers.reserve(32);
	std::vector<std::vector<int>> grid(2, std::vector<int>(2, 5));
	std::map<std::string, int> ages{ { "ann", %d }, { "bob", 4 } };
	std::pair<int, double> pair(3, 0.5);
	Both<int, double> both{ 2, 1.5 };
	Shelf shelf;
	shelf.put("book", %d);
	Item item(text, y, 2.5), *named = &item;
	int &ref = %s;
	View view{ item, limit };
	bool flag = false;
	auto double_it = [&](int n) { int m = n * 2 + x; return m; };""" % (
    r.randint(-20, 40), r.randint(0, 50), r.randint(-9, 60), r.randint(1, 90), r.randint(1, 50),
    r.choice(["x", "y", "item.amount", "numbers[2]"])))
for _ in range(10):
    print("\t" + statement())
print("""	std::printf("%%d %%zu %%d %%d\\n", x + y + shelf.sum(), text.size(), ref, (int)flag);
	assert(%s);
	return named->worth();
}""" % r.choice(["x == 12345 && flag", "item.amount == 31337", "shelf.total() == 1", "text == \"quite different\"",
                 "y == 4711 || item.price == 1e9"]))
