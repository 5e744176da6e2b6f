/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/measurement.h"

#include "solver/evaluate/csv.h"

#include <string.h>

G_DEFINE_QUARK(gdb - why - measurement, measurement_error)

const char *const measurement_schemes[RANK_SCHEMES] = {
	[RANK_BEST] = "best",
	[RANK_AVERAGE] = "average",
	[RANK_WORST] = "worst",
};

struct measurements *measurements_new(void)
{
	struct measurements *m = g_new0(struct measurements, 1);

	m->rows = g_array_new(FALSE, FALSE, sizeof(struct measurement));
	m->times = g_array_new(FALSE, FALSE, sizeof(struct measurement_time));
	m->strings = g_string_chunk_new(4096);
	return m;
}

void measurements_free(struct measurements *m)
{
	if (!m)
		return;
	g_array_unref(m->rows);
	g_array_unref(m->times);
	g_string_chunk_free(m->strings);
	g_free(m);
}

const char *measurements_text(struct measurements *m, const char *text)
{
	return g_string_chunk_insert_const(m->strings, text);
}

/* How a column is read into a struct and written. */
enum column_kind { TEXT, COUNT, FLAG, NUMBER, SCHEME };
struct column {
	const char *name;
	enum column_kind kind;
	size_t at;
};

#define AT(field) offsetof(struct measurement, field)
static const struct column columns[] = {
	{ "subject", TEXT, AT(subject) },  { "version", TEXT, AT(version) },
	{ "faults", COUNT, AT(faults) },   { "omission", FLAG, AT(omission) },
	{ "suite", COUNT, AT(suite) },	   { "seed", COUNT, AT(seed) },
	{ "tests", COUNT, AT(tests) },	   { "failed", COUNT, AT(failed) },
	{ "crashed", COUNT, AT(crashed) }, { "technique", TEXT, AT(technique) },
	{ "scheme", SCHEME, AT(scheme) },  { "rank", NUMBER, AT(rank) },
	{ "lines", COUNT, AT(lines) },	   { "exam", NUMBER, AT(exam) },
	{ "found", FLAG, AT(found) },	   { "proven", FLAG, AT(proven) },
};
const char measurement_header[] = "subject,version,faults,omission,suite,seed,tests,failed,crashed,"
				  "technique,scheme,rank,lines,exam,found,proven\n";
#undef AT
#define AT(field) offsetof(struct measurement_time, field)
static const struct column time_columns[] = {
	{ "subject", TEXT, AT(subject) },     { "version", TEXT, AT(version) },
	{ "suite", COUNT, AT(suite) },	      { "seed", COUNT, AT(seed) },
	{ "technique", TEXT, AT(technique) }, { "ms", NUMBER, AT(ms) },
};
const char measurement_time_header[] = "subject,version,suite,seed,technique,ms\n";
#undef AT
enum { MOST_COLUMNS = G_N_ELEMENTS(columns) };

static void write_csv_field(const struct column *c, const void *row, GString *out)
{
	const void *field = (const char *)row + c->at;
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	switch (c->kind) {
	case TEXT:
		csv_field(out, *(const char *const *)field);
		return;
	case COUNT:
		g_snprintf(number, sizeof(number), "%u", *(const unsigned *)field);
		break;
	case FLAG:
		g_snprintf(number, sizeof(number), "%d", *(const bool *)field);
		break;
	case NUMBER:
		g_ascii_formatd(number, sizeof(number), "%.10g", *(const double *)field);
		break;
	case SCHEME:
		csv_field(out, measurement_schemes[*(const enum rank_scheme *)field]);
		return;
	}
	csv_field(out, number);
}

void measurement_write(const struct measurement *row, GString *out)
{
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
		const struct column *c = &columns[i];
		bool is_rank = c->at == offsetof(struct measurement, rank) ||
			       c->at == offsetof(struct measurement, exam);

		if (is_rank && row->rank <= 0)
			csv_field(out, "NA");
		else
			write_csv_field(c, row, out);
	}
	g_string_append_c(out, '\n');
}

void measurement_write_time(const struct measurement_time *row, GString *out)
{
	for (size_t i = 0; i < G_N_ELEMENTS(time_columns); i++)
		write_csv_field(&time_columns[i], row, out);
	g_string_append_c(out, '\n');
}

static bool read_scheme(const char *text, enum rank_scheme *out)
{
	for (unsigned i = 0; i < RANK_SCHEMES; i++) {
		if (strcmp(measurement_schemes[i], text) == 0) {
			*out = (enum rank_scheme)i;
			return true;
		}
	}
	return false;
}

static bool read_measured_number(const char *text, double *out)
{
	char *end;

	*out = g_ascii_strtod(text, &end);
	return end != text && !*end && *out >= 0 && *out < 1e300;
}

static bool read_csv_field(const struct column *c, const char *text, struct measurements *m,
			   void *row)
{
	void *field = (char *)row + c->at;
	guint64 n;

	switch (c->kind) {
	case TEXT:
		*(const char **)field = measurements_text(m, text);
		return *text;
	case COUNT:
		if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT32, &n, NULL))
			return false;
		*(unsigned *)field = (unsigned)n;
		return true;
	case FLAG:
		*(bool *)field = *text == '1';
		return (*text == '0' || *text == '1') && !text[1];
	case NUMBER:
		if (strcmp(text, "NA") == 0) {
			*(double *)field = 0;
			return true;
		}
		return read_measured_number(text, field);
	case SCHEME:
		return read_scheme(text, field);
	}
	g_assert_not_reached();
}

static bool refuse_measurement(GError **error, const char *path, unsigned line, const char *what)
{
	g_set_error(error, MEASUREMENT_ERROR, MEASUREMENT_ERROR_READ,
		    "%s:%u: %s; it is not a table of measurements, or it was changed.", path, line,
		    what);
	return false;
}

/* places[i]: where column i stands. */
static bool find_measured_columns(const struct column *of, size_t n, const char *path,
				  char **header, unsigned *places, GError **error)
{
	for (size_t i = 0; i < n; i++) {
		g_autofree char *what = g_strdup_printf("there is no column %s", of[i].name);
		unsigned k = 0;

		while (header && header[k] && strcmp(header[k], of[i].name) != 0)
			k++;
		if (!header || !header[k])
			return refuse_measurement(error, path, 1, what);
		places[i] = k;
	}
	return true;
}

/* Reads one table; rows are of size bytes. */
static bool read_measurement_table(struct measurements *m, const struct column *of, size_t n,
				   GArray *rows, const char *path, const char *text, GError **error)
{
	unsigned places[MOST_COLUMNS], line = 1;
	const char *at = text;
	g_auto(GStrv) header = csv_record(&at);
	char **fields;

	if (!find_measured_columns(of, n, path, header, places, error))
		return false;
	while ((fields = csv_record(&at))) {
		g_auto(GStrv) owned = fields;
		unsigned length = g_strv_length(fields);
		void *row;

		line++;
		g_array_set_size(rows, rows->len + 1);
		row = rows->data + (rows->len - 1) * g_array_get_element_size(rows);
		for (size_t i = 0; i < n; i++) {
			g_autofree char *what = NULL;

			if (places[i] < length && read_csv_field(&of[i], fields[places[i]], m, row))
				continue;
			g_array_set_size(rows, rows->len - 1);
			what = g_strdup_printf("the column %s has a wrong value", of[i].name);
			return refuse_measurement(error, path, line, what);
		}
	}
	return true;
}

bool measurements_read(struct measurements *m, const char *path, const char *text, GError **error)
{
	unsigned before = m->rows->len;

	if (!read_measurement_table(m, columns, G_N_ELEMENTS(columns), m->rows, path, text, error))
		return false;
	for (unsigned i = before; i < m->rows->len; i++) {
		struct measurement *row = &g_array_index(m->rows, struct measurement, i);

		if (row->rank <= 0)
			row->exam = 1;
	}
	return true;
}

bool measurements_read_times(struct measurements *m, const char *path, const char *text,
			     GError **error)
{
	return read_measurement_table(m, time_columns, G_N_ELEMENTS(time_columns), m->times, path,
				      text, error);
}
