/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this room share. */
#ifndef GDBEXT_SPECS_SPEC_SPECS_H
#define GDBEXT_SPECS_SPEC_SPECS_H

#include <glib.h>

#define SPECS_ERROR specs_error_quark()
GQuark specs_error_quark(void);
/* Each message is one full sentence that says what to do. */
enum specs_error {
	SPECS_ERROR_PROGRAM, /* its calls cannot be checked */
	SPECS_ERROR_SPEC,    /* the specification cannot be read, compiled, or evaluated */
	SPECS_ERROR_SYSTEM,
};

#endif
