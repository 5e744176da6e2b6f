/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of counts, two ways of sorting the same things each, and how likely it
 * is that the two ways have nothing to do with each other.
 */
#ifndef SAMPLES_TOTALS_TOTALS_H
#define SAMPLES_TOTALS_TOTALS_H

/* A table has at most so many rows, and columns. */
enum { MOST = 6 };

struct totals {
	int tables;	   /* that took part */
	int stars;	   /* 0 to 3: how plainly they are not independent */
	int freedom;	   /* degrees of freedom, of all tables */
	double statistic;  /* Pearson's, of all tables */
	double likelihood; /* the same by the ratio of likelihoods */
	double chance;	   /* of a statistic as large by chance alone */
	double strongest;  /* of a table, Cramér's V */
};

/* Of all tables on standard input: for each its numbers of rows and columns,
 * then its cells, row by row.  What is no table ends them. */
void add_up_tables(struct totals *totals);

/* The same by the golden version, whatever add_up_tables() is. */
void golden_add_up_tables(struct totals *totals);

/* The next number on standard input in *number; 0 if there is none. */
int read_number(double *number);

#endif
