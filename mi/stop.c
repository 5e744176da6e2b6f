/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/stop.h"

#include <string.h>

void mi_frame_init(struct mi_frame *frame, const struct mi_value *value)
{
	uint64_t number;

	*frame = (struct mi_frame){ 0 };
	if (!value || value->kind != MI_TUPLE)
		return;
	frame->known = true;
	if (mi_get_u64(value, "level", &number))
		frame->level = (unsigned)number;
	if (mi_get_u64(value, "line", &number))
		frame->line = (unsigned)number;
	mi_get_u64(value, "addr", &frame->addr);
	frame->func = g_strdup(mi_get_text(value, "func"));
	frame->file = g_strdup(mi_get_text(value, "file"));
	frame->fullname = g_strdup(mi_get_text(value, "fullname"));
	frame->from = g_strdup(mi_get_text(value, "from"));
}

void mi_frame_clear(struct mi_frame *frame)
{
	g_free(frame->func);
	g_free(frame->file);
	g_free(frame->fullname);
	g_free(frame->from);
	*frame = (struct mi_frame){ 0 };
}

/* GDB's word first, then ours. */
static const struct {
	const char *name;
	enum mi_stop_reason reason;
} reasons[] = {
	{ "breakpoint-hit", MI_STOP_BREAKPOINT },
	{ "watchpoint-trigger", MI_STOP_WATCHPOINT },
	{ "read-watchpoint-trigger", MI_STOP_WATCHPOINT },
	{ "access-watchpoint-trigger", MI_STOP_WATCHPOINT },
	{ "watchpoint-scope", MI_STOP_WATCHPOINT_SCOPE },
	{ "end-stepping-range", MI_STOP_STEP_DONE },
	{ "function-finished", MI_STOP_FUNCTION_FINISHED },
	{ "location-reached", MI_STOP_LOCATION_REACHED },
	{ "signal-received", MI_STOP_SIGNAL },
	{ "exited-normally", MI_STOP_EXITED },
	{ "exited", MI_STOP_EXITED },
	{ "exited-signalled", MI_STOP_KILLED },
	{ "syscall-entry", MI_STOP_SYSCALL },
	{ "syscall-return", MI_STOP_SYSCALL },
	{ "fork", MI_STOP_FORK },
	{ "vfork", MI_STOP_FORK },
	{ "exec", MI_STOP_EXEC },
	{ "solib-event", MI_STOP_SOLIB },
};

static enum mi_stop_reason read_reason(const char *name)
{
	for (size_t i = 0; name && i < G_N_ELEMENTS(reasons); i++) {
		if (!strcmp(name, reasons[i].name))
			return reasons[i].reason;
	}
	return MI_STOP_OTHER;
}

static unsigned read_bkptno(const struct mi_value *results)
{
	static const char *const places[] = { "bkptno", "wpt.number", "hw-awpt.number",
					      "hw-rwpt.number", "wpnum" };
	uint64_t number;

	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		if (mi_get_u64(results, places[i], &number))
			return (unsigned)number;
	}
	return 0;
}

void mi_stop_init(struct mi_stop *stop, const struct mi_record *record)
{
	const struct mi_value *results = record->results;
	uint64_t number;

	*stop = (struct mi_stop){ .reason = read_reason(mi_get_text(results, "reason")) };
	if (stop->reason == MI_STOP_SIGNAL || stop->reason == MI_STOP_KILLED) {
		stop->signal = g_strdup(mi_get_text(results, "signal-name"));
		stop->meaning = g_strdup(mi_get_text(results, "signal-meaning"));
	}
	if (mi_get_octal(results, "exit-code", &number))
		stop->status = (unsigned)number;
	if (mi_get_u64(results, "thread-id", &number))
		stop->thread = (unsigned)number;
	stop->bkptno = read_bkptno(results);
	mi_frame_init(&stop->frame, mi_get(results, "frame"));
}

void mi_stop_clear(struct mi_stop *stop)
{
	g_free(stop->signal);
	g_free(stop->meaning);
	mi_frame_clear(&stop->frame);
	*stop = (struct mi_stop){ 0 };
}

const char *mi_stop_reason_name(enum mi_stop_reason reason)
{
	for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++) {
		if (reasons[i].reason == reason && reason != MI_STOP_EXITED)
			return reasons[i].name;
	}
	return reason == MI_STOP_EXITED ? "exited" : "other";
}
