/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `exceptions WHAT': thrown, caught, passed through frames of ours and of libraries.
 *
 * ways: simple nested callback rethrow library uncaught noexcept threads exit many backtrace
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <exception>
#include <functional>
#include <map>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

struct noisy {
	const char *name;
	explicit noisy(const char *n) : name(n)
	{
		printf("+%s ", name);
	}
	~noisy()
	{
		printf("-%s ", name);
	}
};

__attribute__((noinline)) int may_throw(int n)
{
	if (n % 3 == 1)
		throw n;
	if (n % 3 == 2)
		throw std::runtime_error("no " + std::to_string(n));
	return n * 2;
}

__attribute__((noinline)) int through(int n)
{
	noisy a("a");

	return may_throw(n) + 1;
}

int simple()
{
	for (int i = 0; i < 6; i++) {
		try {
			noisy b("b");
			printf("%d\n", through(i));
		} catch (int e) {
			printf("int %d\n", e);
		} catch (const std::exception &e) {
			printf("%s\n", e.what());
		}
	}
	return 0;
}

struct thrower {
	~thrower()
	{
		try {
			throw 'x';
		} catch (char c) {
			printf("inner %c ", c);
		}
	}
};

int nested()
{
	try {
		try {
			thrower t;
			noisy n("n");
			may_throw(4);
		} catch (const char *) {
			puts("never");
		}
	} catch (int e) {
		try {
			may_throw(5);
		} catch (const std::runtime_error &f) {
			printf("%d %s %d\n", e, f.what(), std::uncaught_exceptions());
		}
	}
	return 0;
}

int compare(const void *a, const void *b)
{
	int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);

	if (x + y == 9)
		throw std::string("nine");
	return x - y;
}

/* Out of what a library called, and the calls below go on as before. */
int over(int n)
{
	std::vector<int> v{ 5, 3, 8, 1, 4 };
	noisy o("over");

	if (n)
		return over(n - 1) + 1;
	try {
		qsort(v.data(), v.size(), sizeof(int), compare);
	} catch (const std::string &s) {
		printf("%s\n", s.c_str());
	}
	std::sort(v.begin(), v.end());
	return v[0];
}

int callback_of(const void *a, const void *b)
{
	static int depth;

	if (!depth++)
		printf("%d\n", over(2));
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

int callback()
{
	int numbers[] = { 4, 2, 3 };

	/* The outer call of qsort comes back to traced code after all this. */
	qsort(numbers, 3, sizeof *numbers, callback_of);
	printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
	return 0;
}

int rethrow()
{
	std::exception_ptr kept;

	for (int i = 0; i < 3; i++) {
		try {
			try {
				through(i);
			} catch (...) {
				kept = std::current_exception();
				throw;
			}
		} catch (int e) {
			printf("int %d\n", e);
		} catch (const std::exception &e) {
			printf("%s\n", e.what());
		}
	}
	try {
		std::rethrow_exception(kept);
	} catch (const std::exception &e) {
		printf("again %s\n", e.what());
	}
	return 0;
}

int library()
{
	std::map<std::string, int> m{ { "a", 1 } };
	std::function<int(int)> f = [&](int n) { return m.at(n ? "b" : "a"); };

	for (int i = 0; i < 3; i++) {
		try {
			printf("%d\n", f(i % 2));
			printf("%d\n", std::stoi(i ? "x" : "12"));
			std::vector<int>().at(3);
		} catch (const std::invalid_argument &e) {
			printf("invalid %s\n", e.what());
		} catch (const std::out_of_range &) {
			puts("out of range");
		}
	}
	return 0;
}

int uncaught()
{
	noisy n("lost");

	fflush(stdout);
	throw std::runtime_error("nobody wants it");
}

void promises() noexcept
{
	may_throw(1);
}

int breaks_promise()
{
	std::set_terminate([] {
		puts("terminated");
		fflush(stdout);
		_Exit(9);
	});
	promises();
	return 0;
}

void *in_thread(void *arg)
{
	long sum = 0;

	for (int i = 0; i < 30; i++) {
		try {
			std::string s(40, 'x');
			sum += may_throw(i + (int)(long)arg);
		} catch (int e) {
			sum += 100 * e;
		} catch (const std::exception &e) {
			sum += (long)strlen(e.what());
		}
	}
	return (void *)sum;
}

int threads()
{
	pthread_t t[3];
	void *result;

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], nullptr, in_thread, (void *)i);
	for (auto &one : t) {
		pthread_join(one, &result);
		printf("%ld\n", (long)result);
	}
	return 0;
}

__attribute__((noinline)) void leave(int n)
{
	noisy l("leave");

	if (!n)
		pthread_exit((void *)6);
	leave(n - 1);
}

void *leaves(void *arg)
{
	noisy t("thread");

	leave(2);
	return arg;
}

int exit_of_thread()
{
	pthread_t t;
	void *result;

	pthread_create(&t, nullptr, leaves, nullptr);
	pthread_join(t, &result);
	printf("%ld\n", (long)result);
	return 0;
}

int many()
{
	long sum = 0;

	for (int i = 0; i < 400; i++) {
		try {
			std::string s(30, 'y');
			sum += may_throw(i);
		} catch (int e) {
			sum += e;
		} catch (const std::runtime_error &e) {
			sum -= e.what()[3];
		}
	}
	printf("%ld\n", sum);
	return 0;
}

__attribute__((noinline)) int deep(int n)
{
	void *frames[50];

	return n ? deep(n - 1) + 0 * n : backtrace(frames, 50);
}

int show_backtrace()
{
	int base = deep(0), more = deep(9);

	printf("%d\n", more >= base);
	printf("%d\n", base > 2);
	return base;
}

} // namespace

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)();
	} all[] = {
		{ "simple", simple },
		{ "nested", nested },
		{ "callback", callback },
		{ "rethrow", rethrow },
		{ "library", library },
		{ "uncaught", uncaught },
		{ "noexcept", breaks_promise },
		{ "threads", threads },
		{ "exit", exit_of_thread },
		{ "many", many },
		{ "backtrace", show_backtrace },
	};

	for (auto &one : all)
		if (argc > 1 && !strcmp(argv[1], one.name)) {
			int status = one.run();

			printf("ends\n");
			return status;
		}
	return 2;
}
