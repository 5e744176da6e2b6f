/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines are added to a file by write.  A grade's limit is one too high.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char grade(int points)
{
	if (points > 50) /* fault */
		return 'A';
	return 'B';
}

int main(void)
{
	int fd = open("grades.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);

	for (int points = 40; points <= 60; points += 10) {
		char line[40];
		int n = snprintf(line, sizeof line, "%d: %c\n", points, grade(points));

		if (write(fd, line, (size_t)n) != n)
			return 2;
	}
	return close(fd) != 0;
}
