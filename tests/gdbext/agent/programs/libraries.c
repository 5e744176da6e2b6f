/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Libraries that come and go: dlopen, dlsym, callbacks, a destructor that calls back.
 *
 * library: plugin
 */
#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;

static int twice(int n)
{
	calls++;
	if (n < 0)
		puts("unloaded");
	return n * 2;
}

/* In front of libc's. */
int rand(void)
{
	int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "rand");

	if (!next) {
		puts(dlerror());
		return -1;
	}
	srand(7);
	return next();
}

static int round_with(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	int (*set)(int (*)(int)), (*run)(int), first, sum;

	if (!library) {
		puts(dlerror());
		return 1;
	}
	set = (int (*)(int (*)(int)))dlsym(library, "plugin_set");
	run = (int (*)(int))dlsym(library, "plugin_run");
	first = set(twice);
	sum = run(20);
	printf("%d %d %d %d\n", first, sum, calls, dlsym(library, "no_such_name") != NULL);
	return dlclose(library);
}

int main(int argc, char **argv)
{
	char path[4096];
	double (*power)(double, double);
	void *math;

	(void)argc;
	snprintf(path, sizeof path, "%s", argv[0]);
	dirname(path);
	strcat(path, "/plugin.so");
	for (int i = 0; i < 3; i++)
		if (round_with(path))
			return 1;
	math = dlopen("libm.so.6", RTLD_LAZY);
	power = (double (*)(double, double))dlsym(math, "pow");
	printf("%.6f\n", power ? power(2, 0.5) : -1);
	dlclose(math);
	printf("%d\n", rand() >= 0);
	printf("%d\n", dlopen("no-such-library.so", RTLD_NOW) != NULL);
	return 0;
}
