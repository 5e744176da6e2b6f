/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/regress.h"
#include "gdbext/command/panel/regress-panel.h"
#include "gdbext/regress/flow.h"
#include "tui/panel/panel.h"
#include "tui/report/regress/regress.h"

#include <errno.h>

static bool print_answer(const struct options *o, const struct regress_answer *a, GError **error)
{
	struct tui_options t = { .format = (enum tui_format)o->format,
				 .color = (enum tui_color_when)o->color,
				 .directory = o->directory };
	FILE *out = o->output ? fopen(o->output, "we") : stdout;
	bool ok = out && tui_print_regression(out, a, &t);

	if (!ok)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "The answer cannot be written: %s.", g_strerror(errno));
	if (out && out != stdout && fclose(out) && ok) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "The answer cannot be written: %s.", g_strerror(errno));
		ok = false;
	}
	return ok;
}

int regress_command(const struct options *o, GError **error)
{
	struct regression *r = regression_new(o);
	int status = 0;
	const struct regress_answer *a = regression_explain(r, &status, error);

	if (a && !(o->regress_panel && panel_can_run()
			   ? regress_panel(o, a, regression_new_folder(r), error)
			   : print_answer(o, a, error)))
		status = OPTIONS_EXIT_USAGE;
	else if (a)
		status = a->outcome == REGRESS_FOUND && a->proof.without == REGRESS_PASSES
				 ? OPTIONS_EXIT_EXPLAINED
				 : OPTIONS_EXIT_UNEXPLAINED;
	regression_free(r);
	return status;
}
