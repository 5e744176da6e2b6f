/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A struct launch as bytes, so that another process of ours, the supervisor, can start the
 * program.  Descriptors do not travel in it: .in, .out, .err and .handed are sent beside it,
 * .inherited are numbers that the other process has open, too.
 */
#ifndef GDBEXT_REPLAY_CAGE_LAUNCH_PACK_H
#define GDBEXT_REPLAY_CAGE_LAUNCH_PACK_H

#include "gdbext/replay/cage/launch.h"
#include "gdbext/replay/cage/view.h"

/* The caller unrefs it. */
GByteArray *launch_pack(const struct launch *l);

struct launch_parcel {
	struct launch
		launch; /* .in, .out, .err, .handed, .listener are for the receiver to fill in */
	bool caged;	/* .launch.cage is too */
	struct view view;
	GPtrArray *argv, *envp;
};
/* The parcel points into the bytes, which come from launch_pack, and into itself. */
void launch_unpack(struct launch_parcel *p, const guint8 *bytes);
void launch_parcel_clear(struct launch_parcel *p);

#endif
