/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much the program has written to its standard output and error, so that each byte can be
 * traced back to the call that printed it.  stdio's buffers belong to libc, and what is in them
 * is as good as written, so they are looked at; nothing of libc's is called.
 *
 * A file (the plan's .output_file) may take the place of standard output.  Which descriptor it has
 * is found out when untraced code comes back: what it returned may be the descriptor or the
 * stream, or it made a stream.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_STREAMS 1024 /* that are looked through */
#define MOST_FD 65536	  /* no returned value above this is taken for a descriptor */

/* libc's list of all streams, linked by ._chain; the newest is the first. */
extern FILE *_IO_list_all __attribute__((weak));

static FILE *newest_stream(void)
{
	/* another thread may be taking one out */
	return &_IO_list_all && agent.n_threads <= 1 ? _IO_list_all : NULL;
}

static uint64_t in_buffer(const FILE *file)
{
	return file->_IO_write_ptr > file->_IO_write_base
		       ? (uint64_t)(file->_IO_write_ptr - file->_IO_write_base)
		       : 0;
}

/* Bytes that the file will have; what it was when it is not open, or no file. */
static uint64_t position_in_output(int fd, const FILE *file, uint64_t was)
{
	long at = sys3(SYS_lseek, fd, 0, SEEK_CUR);

	if (at < 0)
		return was;
	return (uint64_t)at + (file && file->_fileno == fd ? in_buffer(file) : 0);
}

/* ---- a file in the place of standard output ---- */

static bool is_still_open(const struct agent_output_file *f, struct stat *st)
{
	return f->open && !sys3(SYS_fstat, f->fd, (long)st, 0) && st->st_dev == f->device &&
	       st->st_ino == f->inode;
}

static bool take_if_it_is(struct agent_output_file *f, long fd)
{
	const char *path = in_plan(agent.plan->output_file);
	struct stat st, wanted;
	long flags;

	if (sys3(SYS_fstat, fd, (long)&st, 0) || sys3(SYS_stat, (long)path, (long)&wanted, 0) ||
	    st.st_dev != wanted.st_dev || st.st_ino != wanted.st_ino)
		return false;
	flags = sys3(SYS_fcntl, fd, F_GETFL, 0);
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return false;
	f->open = true;
	f->appends = flags & O_APPEND;
	f->fd = (int)fd;
	f->device = st.st_dev;
	f->inode = st.st_ino;
	return true;
}

/* returned: what untraced code returned. */
static bool find_output_stream(struct agent_output_file *f, uint64_t returned)
{
	FILE *newest = newest_stream(), *stream = newest;
	bool made = newest != f->last;

	f->open = false;
	f->last = newest;
	if (returned < MOST_FD && take_if_it_is(f, (long)returned))
		return true;
	if (made && newest && take_if_it_is(f, newest->_fileno))
		return true;
	for (int i = 0; stream && i < MOST_STREAMS; i++, stream = stream->_chain)
		if ((uint64_t)stream == returned)
			return take_if_it_is(f, stream->_fileno);
	return false;
}

static uint64_t file_position(const struct agent_thread *t, bool native, uint64_t was)
{
	struct agent_output_file *f = &agent.output_file;
	const struct trace_head *head = head_of((void *)(uintptr_t)t);
	FILE *stream = newest_stream();
	struct stat st;
	uint64_t at;

	if (!is_still_open(f, &st)) {
		if (!native || !find_output_stream(f, head->regs[TRACE_RAX]) ||
		    !is_still_open(f, &st))
			return was;
	}
	for (int i = 0; stream && stream->_fileno != f->fd && i < MOST_STREAMS; i++)
		stream = stream->_chain;
	at = position_in_output(f->fd, stream, was);
	return f->appends ? (uint64_t)st.st_size + (stream ? in_buffer(stream) : 0) : at;
}

void output_note(struct agent_thread *t, bool native)
{
	struct trace_output o = { .insns = head_of(t)->insns, .native = native };

	if (!(agent.plan->flags & TRACE_OUTPUT) || !t->recording)
		return;
	if (agent.plan->output_file)
		o.written[0] = file_position(t, native, agent.written[0]);
	else
		o.written[0] = position_in_output(STDOUT_FILENO, stdout, agent.written[0]);
	o.written[1] = position_in_output(STDERR_FILENO, stderr, agent.written[1]);
	if (o.written[0] == agent.written[0] && o.written[1] == agent.written[1])
		return;
	agent.written[0] = o.written[0];
	agent.written[1] = o.written[1];
	stream_output(t, &o);
}

static void write_buffer(const FILE *file, int fd)
{
	const char *from = file->_IO_write_base;
	uint64_t left = file->_fileno == fd ? in_buffer(file) : 0;

	while (left) {
		long n = sys3(SYS_write, fd, (long)from, (long)left);

		if (n <= 0)
			return;
		from += n;
		left -= (uint64_t)n;
	}
}

void output_write_rest(void)
{
	const struct agent_output_file *f = &agent.output_file;
	FILE *stream = newest_stream();
	struct stat st;

	write_buffer(stderr, STDERR_FILENO);
	if (!agent.plan->output_file) {
		write_buffer(stdout, STDOUT_FILENO);
		return;
	}
	for (int i = 0; is_still_open(f, &st) && stream && i < MOST_STREAMS; i++) {
		if (stream->_fileno == f->fd)
			write_buffer(stream, f->fd);
		stream = stream->_chain;
	}
}
