/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One way out, by goto, with the wrong status on it.
 *
 * test: 8080x
 * fails: 43
 * faulty: 24
 * fixed: status = -1;
 */
#include <assert.h>
#include <stdlib.h>

static int parse_port(const char *text, int *port)
{
	int status = 0;
	int value = 0;
	char *copy = malloc(16);

	if (copy == NULL)
		return -1;
	for (int i = 0; text[i] != '\0' && i < 15; i++) {
		copy[i] = text[i];
		if (copy[i] < '0' || copy[i] > '9') {
			status = 0;
			goto out;
		}
		value = value * 10 + (copy[i] - '0');
	}
	*port = value;
out:
	free(copy);
	return status;
}

int main(int argc, char **argv)
{
	int port = -1;
	int status;

	if (argc != 2)
		return 2;
	status = parse_port(argv[1], &port);
	assert(status != 0 || port >= 0);
	return 0;
}
