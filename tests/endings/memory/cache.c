/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A server keeps what its requests ask for in a cache of 32 slots.  A slot from a request is not
 * checked, and what lies behind the cache, its limit, makes a later request fail.
 * test: 1 2 32 4 5 6
 * right: 1 2 31 4 5 6
 * says: invalid write: writes 4 bytes, right behind the end of `cache', which has 128 bytes
 * first: 1
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct server {
	int cache[32];
	int limit, served;
};
static struct server server = { .limit = 10 };
static void remember(int slot, int value)
{
	server.cache[slot] = value; /* fault, wrong */
}
static int serve(const char *request)
{
	int slot = atoi(request), value = (int)strlen(request);

	remember(slot, value);
	if (server.served >= server.limit)
		abort();
	server.served++;
	return value;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		serve(argv[i]);
	puts("done");
	return 0;
}
