/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of which pieces are made, for code-piece.c and the files that make pieces.  Each
 * function appends a part; false: there is no room. */
#ifndef SOLVER_CHANGE_CODE_CODE_PIECE_PRIVATE_H
#define SOLVER_CHANGE_CODE_CODE_PIECE_PRIVATE_H

#include "solver/change/code/code-piece.h"

/* Where registers lie above the stack pointer between save and restore. */
enum { CODE_SAVED_RCX = 0, CODE_SAVED_RAX = 8 };

bool code_piece_bytes(struct code_piece *c, const void *bytes, unsigned size);
/* Notes that the four bytes at .at hold the distance from byte .from to a link-time address. */
bool code_piece_link(struct code_piece *c, unsigned at, unsigned from, uint64_t to);
/* A branch with this opcode and four bytes of distance to a link-time address. */
bool code_piece_jump(struct code_piece *c, const uint8_t *opcode, unsigned size, uint64_t to);
/* Stores the lowest size bytes of rcx where rax points; 1, 2, 4 or 8. */
bool code_piece_store(struct code_piece *c, uint64_t size);
/* Keeps the red zone, the flags, rax and rcx; gives them back. */
bool code_piece_save(struct code_piece *c);
bool code_piece_restore(struct code_piece *c);

#endif
