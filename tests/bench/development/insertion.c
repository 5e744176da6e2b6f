/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorts records of students by marks, then by name.
 *
 * test: eve:2 bob:3 ann:3 dan:1
 * prints: 1 dan
 * prints: 2 eve
 * prints: 3 ann
 * prints: 3 bob
 * prints: average 2.25
 * faulty: 27
 * fixed: 	return strcmp(a->name, b->name) < 0;
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct student {
	char name[12];
	int mark;
};

static int before(const struct student *a, const struct student *b)
{
	if (a->mark != b->mark)
		return a->mark < b->mark;
	return strcmp(a->name, b->name) > 0;
}

static void sort(struct student *v, int n)
{
	for (int i = 1; i < n; i++) {
		struct student moved = v[i];
		int k = i;

		while (k > 0 && before(&moved, &v[k - 1])) {
			v[k] = v[k - 1];
			k--;
		}
		v[k] = moved;
	}
}

static int read_student(const char *text, struct student *out)
{
	const char *colon = strchr(text, ':');
	size_t length;

	if (!colon)
		return 0;
	length = colon - text;
	if (length >= sizeof out->name)
		return 0;
	memcpy(out->name, text, length);
	out->name[length] = '\0';
	out->mark = atoi(colon + 1);
	return 1;
}

static double average(const struct student *v, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += v[i].mark;
	return n > 0 ? (double)sum / n : 0;
}

int main(int argc, char **argv)
{
	struct student students[16];
	int n = 0;

	for (int i = 1; i < argc && n < 16; i++)
		n += read_student(argv[i], &students[n]);
	sort(students, n);
	for (int i = 0; i < n; i++)
		printf("%d %s\n", students[i].mark, students[i].name);
	printf("average %.2f\n", average(students, n));
	return 0;
}
