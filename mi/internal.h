/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What conn.c (starting and ending), talk.c (sending, waiting) and script.c
 * (answers from a transcript) share.  No one else includes it.
 */
#ifndef MI_INTERNAL_H
#define MI_INTERNAL_H

#include "mi/child.h"
#include "mi/conn.h"
#include "mi/parse.h"
#include "mi/transcript.h"

struct mi_conn {
	struct mi_child child; /* pid 0 for a replay */
	bool deaf;	       /* nothing more will come: end of file, or the child ended */
	char *end;	       /* when deaf, once asked: how it ended, a sentence */
	bool speaks;	       /* a result came: it is a GDB */
	bool out_of_order;     /* the transcript waits for another command */
	GByteArray *outgoing;  /* what GDB did not take yet */
	GString *last_words;   /* the end of its standard error */

	struct mi_parser *parser;
	uint64_t last_token;
	GHashTable *results; /* token sent -> its mi_record, or NULL while it is missing */
	GQueue stops;	     /* of mi_record */
	GString *capture;    /* console text is copied there; NULL: not */

	mi_handler_fn *handler;
	void *arg;
	int cancel_fd, command_timeout_ms;
	gint64 until;
	unsigned mi_version;

	bool running;
	GHashTable *groups;    /* id of a thread group -> its process id */
	GHashTable *registers; /* name -> number; NULL: not asked yet */

	struct mi_transcript *transcript; /* NULL: none */
	struct mi_script *script;	  /* when replaying, else NULL */
};

/* talk.c: */

/* Sends a line, which has no token yet; its token, or 0 with error. */
uint64_t mi_talk_send(struct mi_conn *conn, const char *line, GError **error);

/* Moves bytes until done(conn, arg), or an error. */
typedef bool mi_talk_done_fn(struct mi_conn *conn, void *arg);
bool mi_talk_until(struct mi_conn *conn, mi_talk_done_fn *done, void *arg, int timeout_ms,
		   const char *awaited, GError **error);

/* Moves what can be moved within wait_ms. */
void mi_talk_move(struct mi_conn *conn, int wait_ms);

/* Forgets what GDB complained about so far, because it is not the reason why GDB ended later. */
void mi_talk_forget_words(struct mi_conn *conn);

/* The parser's callback; arg is the connection. */
void mi_talk_hear(struct mi_record *record, void *arg);

/* script.c: */
struct mi_script *mi_script_new(const char *file, GError **error);
void mi_script_free(struct mi_script *script); /* NULL is fine */

/* The interpreter that the transcript was made with. */
unsigned mi_script_mi_version(const struct mi_script *script);

/* The connection sends this command with this token; it has to be the transcript's next
 * command. */
bool mi_script_send(struct mi_script *script, uint64_t token, const char *line, GError **error);

/* The next thing that GDB said before it needed another command; false: nothing.
 * *ended: the line is whole. */
bool mi_script_hear(struct mi_script *script, GBytes **text, bool *ended);
bool mi_script_is_over(const struct mi_script *script);

/* Our token for one of the transcript's; the same when it is unknown. */
uint64_t mi_script_token(const struct mi_script *script, uint64_t recorded);

#endif
