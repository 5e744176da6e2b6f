/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums a column of comma separated values.
 *
 * test: 2
 * stdin: ann,3,40
 * stdin: bob,"1,5",2
 * stdin: cid,4,8
 * prints: 3 rows, names up to 3
 * prints: sum 50
 * faulty: 35
 * fixed: 			quoted = !quoted;
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 8

struct row {
	char text[80];
	const char *fields[FIELDS];
	int count;
};

static void split(struct row *r)
{
	int quoted = 0;
	char *to = r->text;

	r->count = 0;
	r->fields[r->count++] = to;
	for (const char *from = r->text; *from && *from != '\n'; from++) {
		if (*from == '"') {
			quoted = 1;
		} else if (*from == ',' && !quoted && r->count < FIELDS) {
			*to++ = '\0';
			r->fields[r->count++] = to;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

static const char *field(const struct row *r, int column)
{
	return column < r->count ? r->fields[column] : "";
}

static int longest(int a, const char *text)
{
	int n = (int)strlen(text);

	return n > a ? n : a;
}

int main(int argc, char **argv)
{
	struct row row;
	int column = argc > 1 ? atoi(argv[1]) : 0;
	int rows = 0, width = 0;
	double sum = 0;

	while (fgets(row.text, sizeof row.text, stdin)) {
		split(&row);
		sum += atof(field(&row, column));
		width = longest(width, field(&row, 0));
		rows++;
	}
	printf("%d rows, names up to %d\n", rows, width);
	printf("sum %g\n", sum);
	return 0;
}
