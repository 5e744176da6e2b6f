/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this room share: the runs of a suite with changed code. */
#ifndef GDBEXT_EVIDENCE_MUTATION_MUTATION_PRIVATE_H
#define GDBEXT_EVIDENCE_MUTATION_MUTATION_PRIVATE_H

#include "gdbext/evidence/mutation/mutation.h"
#include "gdbext/evidence/words/term-words.h"

/* A line whose mutants are tried. */
struct trial {
	unsigned line; /* the plan's number */
	/* const struct neighbour *: to be tried; the test that refuted a mutant last is moved to
	 * the front */
	GPtrArray *failing, *passing;
	/* struct mutant: constants with which some failing tests pass, one for each instruction */
	GArray *seeds;
	/* struct mutant: collects those that mend all failing tests and break others; NULL =
	 * nobody wants them */
	GArray *half;
};

/* A process for each test, with some changes in all of its runs. */
struct servers {
	GArray *base;	/* struct trace_action: these changes */
	GHashTable *of; /* struct neighbour * → struct replay_server *, owned */
	GQueue order;	/* the keys, oldest first */
	/* GBytes: a test and further changes → did it pass (1) or not (0)? */
	GHashTable *outcomes;
};

/* What the places are called that a mutant of a variable exchanges. */
struct place_told {
	uint64_t addr;
	int64_t from, to;
	const struct mutant *also;
	bool is_known;
	char *words; /* NULL = they have no names */
};

struct mutation {
	const struct limits *limits;
	struct replay *replay;
	const struct neighbours *tests;
	struct mutator *mutator;
	GStringChunk *words;
	struct term_words *terms;
	struct place_told *last_place; /* of the mutant that was asked last */
	GPtrArray *guarded; /* GArray of struct trace_action: those of verdicts with a guard */
	/* the check that failed always fails (probed), or passes (excused; no .base: not known) */
	struct servers plain, probed, excused;
	guint checks_made;   /* by the single failing test; G_MAXUINT = not known */
	bool checks_counted; /* is that so? */
	GHashTable *half;  /* line that was judged → GArray of struct mutant: see struct trial */
	GHashTable *lines; /* line → GArray of struct mutant, without those of hints */
	GHashTable *refuted; /* GBytes: changes with which a single failing test still fails */
	mutation_executes_fn *executes; /* mutation.h */
	const void *executes_arg;
	mutation_first_fn *first; /* mutation.h; NULL = not known */
	const void *first_arg;
	struct late_servers *late; /* of the single test; NULL = not yet */
	GHashTable *ordered;	   /* line → GArray of its mutants, those of least effort first */
	GPtrArray *failing;	   /* const struct neighbour *: those that do fail here */
	GPtrArray *checked;	   /* const struct neighbour *: passing tests that come to it */
	GPtrArray *killers;	   /* struct killer, vacuity.c's; NULL = not looked for */
	GArray *named;		   /* unsigned: lines that explanations name, each once */
	double least; /* mutation_effort of a change that mends all and breaks none; INFINITY: none
		       */
	unsigned vacuous; /* the line whose latest change was vacuous: others of it often are */
	bool checks;	  /* mutation_try_checks */
	const char *lacks_file; /* mutation_lacks_text; NULL: none is missing */
	char *spared; /* a variable that no statement which is put somewhere may change; NULL = none
		       */
	unsigned lacks_line;
	bool fails_early;   /* mutation_fails_early */
	bool meets_several; /* mutation_meets_several */
	GArray *none;	    /* one struct trace_action, which changes nothing */
	const char *file;   /* of the check that failed; NULL = not known */
	unsigned line;
	uint64_t cpu_us;     /* that a run may take, and */
	GHashTable *slow;    /* struct neighbour * → the same of a test of which a run was cut */
	uint64_t longer_us;  /* that longer runs of a single test may still take in vain */
	uint64_t longest_us; /* and much longer ones */
	GHashTable *stuck;   /* GBytes: runs of a single test that do not come to the check */
	bool postpones;	     /* mutation_postpone */
	unsigned postponed;  /* runs since then */
	bool is_cut;	     /* the latest run went on, and there was no time left for such runs */
	uint64_t instructions; /* of mutation_new */
	uint64_t run_us;       /* what one counts for */
	uint64_t endless_us;   /* of a test that does not end: what it does until it goes round; 0 =
				  it ends */
	uint64_t most_runs;
	gint64 deadline; /* monotonic microseconds */
	unsigned runs, started;
};

void mutation_trial_clear(struct trial *t);

/* changed-runs.c: */
void servers_init(struct servers *s);
void servers_deinit(struct servers *s);
/* Ends the processes, and forgets how their runs came out: .base is about to change. */
void servers_forget(struct servers *s);
/* Finds out how long runs may take, before the first one is made. */
void mutation_measure_runs(struct mutation *m);
/* Does the test pass with these changes (struct trace_action) and those of all's runs?  The same
 * run is made once. */
bool mutation_passes(struct mutation *m, struct servers *all, const struct neighbour *t,
		     const GArray *changes);
/* Runs the test with these changes and returns the values that the run noted.  NULL: the run
 * could not be made.  The caller owns the array. */
GArray *mutation_notes(struct mutation *m, const struct neighbour *t, const GArray *changes,
		       unsigned *n_values);
/* Actions that make a run note the watches (struct watch *) and the flags behind them, each time
 * that it comes to the mutant's place.  They change nothing else.  NULL: that is not possible
 * there.  Free the array. */
GArray *mutation_probe(const struct mutation *m, const struct mutant *at, const GPtrArray *watches);
/* Does every failing test of the trial pass with the changes?  *mended: so many did before one
 * that does not; may be NULL. */
bool mutation_mends_all(struct mutation *m, const struct trial *t, const GArray *changes,
			guint *mended);
/* True when it mends all failing tests, and breaks fewer than the best one so far. */
bool mutation_try_mutant(struct mutation *m, const struct trial *t, const struct mutant *with,
			 struct mutation_verdict *best);
bool mutation_verdict_is_clean(const struct mutation_verdict *v);
/* Runs passing tests of the trial until more than `most' of them fail, and counts the failures
 * in v.  Returns true when more did, when the effort is spent, or when the changes are vacuous. */
bool mutation_breaks_more_than(struct mutation *m, const struct trial *t, const GArray *changes,
			       unsigned most, struct mutation_verdict *v);

/* Prepares what has to be known before the first change.  Returns false when that was done
 * before. */
bool mutation_begin(struct mutation *m);
/* The same for a single failing test. */
void mutation_begin_with_one(struct mutation *m);

/* probe.c: */
/* Finds out which passing tests make the check that failed, and how a run can show that. */
void mutation_find_checked(struct mutation *m);
/* Finds the probe for a single failing test: the branches of the check are made to go the way
 * with which the test still fails.  There is none when the test ends alike with both ways,
 * because that tells nothing. */
void mutation_find_probe(struct mutation *m);
/* Does the test, which passes with the changes, still make the check?  A test that no longer
 * makes it passes without a reason. */
bool mutation_is_still_checked(struct mutation *m, const struct neighbour *mended,
			       const GArray *changes);
/* Does the single failing test make the check less often with the changes than it does without? */
bool mutation_checks_less(struct mutation *m, const GArray *changes);

/* vacuity.c: do passing tests pass with the changes whatever else goes wrong?  In that case it
 * says nothing that failing tests pass, too. */
bool mutation_is_vacuous(struct mutation *m, const struct trial *t, const GArray *changes);

/* seen-values.c: the values that a failing test compared with this mutant's constant, to see
 * whether they are equal (int64_t, each once).  Free the array. */
GArray *mutation_seen_values(struct mutation *m, const struct mutant *of);

/* line-mutants.c: */
/* What a line's things are found by; free it. */
char *mutation_line_key(const char *file, unsigned line);
/* Is a mutant of that kind, with that new value, of the same instruction among them? */
bool mutants_have(const GArray *mutants, const struct mutant *like);
/* How soon the mutant is tried. */
enum mutation_part mutation_part_of(const struct mutation *m, const struct mutant *mutant);
/* The mutants of a part that are worth a try, those of least effort first (struct mutant).
 * Mutants with seen values and with values of hints (struct mutation_hint; NULL = none) are
 * among the common ones.  Free the array. */
GArray *mutation_part_mutants(struct mutation *m, const char *file, unsigned line,
			      enum mutation_part part, const GArray *hints);
/* Appends mutants of the line's floating-point constants, which lie in memory and not in the
 * code. */
void mutation_add_constants(const struct mutation *m, const char *file, unsigned line, GArray *all);
/* False: it cannot be made. */
bool mutation_data_mutant(const struct mutation *m, const struct data_mutant *d,
			  struct mutant *out);

/* right-constant.c: looks for the right value of a constant.  The constants that were tried
 * there mend some of the failing tests, or mend all of them and break a few passing ones. */
void mutation_seek_constants(struct mutation *m, const struct trial *t,
			     struct mutation_verdict *best);

/* guards.c: looks for a condition under which a mutant of the line mends all failing tests and
 * breaks no passing one.  half: struct mutant, those that mend all failing tests and break
 * others.  Writes *out on success. */
bool mutation_learn_guard(struct mutation *m, const struct trial *t, const GArray *half,
			  const char *file, unsigned line, struct mutation_verdict *out);

/* Of the program that is tested. */
const struct image *mutation_image(const struct mutation *m);
/* NULL: the address has none. */
const struct image_statement *mutation_statement(const struct mutation *m, uint64_t addr);

/* tellable-number.c: does the number that the MUTANT_CONSTANT changes stand in the text, and is it
 * changed there alone?  text: the statement's, words: how the change is told. */
bool mutation_number_is_tellable(const struct mutation *m, const struct mutant *of,
				 const struct image_statement *s, const char *text,
				 const char *words);
/* tellable.c: the text that a mutant of the instruction changes, without a comment: the source's
 * line, or the declaration of a member that gets its first value there.  NULL = it is not there. */
const char *mutation_text(const struct mutation *m, uint64_t addr);
/* Has the statement of the instruction at addr this text, but for blanks?  What stands in a macro,
 * no line has. */
bool mutation_has_text(const struct mutation *m, uint64_t addr, const char *text);
/* Has that text what is changed?  A place without a name is in no source. */
bool mutation_is_written(const struct mutation *m, const struct mutant *mutant, const char *text);
/* unmeant.c: what it costs more that nobody can have meant the change; text: its line of source. */
double mutation_unmeant(const struct mutation *m, const struct mutant *mutant, const char *text);

#endif
