/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much the program has written to its standard output and error, so that each byte can be
 * traced back to the call that printed it.  stdio's buffers belong to libc, and what is in them
 * is as good as written, so they are looked at; nothing of libc's is called.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <stdio.h>
#include <unistd.h>

/* Bytes that the file will have; what it was when it is not open, or no file. */
static uint64_t position(int fd, const FILE *file, uint64_t was)
{
	long at = sys3(SYS_lseek, fd, 0, SEEK_CUR);

	if (at < 0)
		return was;
	if (file && file->_fileno == fd && file->_IO_write_ptr > file->_IO_write_base)
		at += file->_IO_write_ptr - file->_IO_write_base;
	return (uint64_t)at;
}

void output_note(struct agent_thread *t, bool native)
{
	struct trace_output o = { .insns = head_of(t)->insns, .native = native };

	if (!(agent.plan->flags & TRACE_OUTPUT) || !t->recording)
		return;
	o.written[0] = position(STDOUT_FILENO, stdout, agent.written[0]);
	o.written[1] = position(STDERR_FILENO, stderr, agent.written[1]);
	if (o.written[0] == agent.written[0] && o.written[1] == agent.written[1])
		return;
	agent.written[0] = o.written[0];
	agent.written[1] = o.written[1];
	stream_output(t, &o);
}
