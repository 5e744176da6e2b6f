/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/trace-point/library-objects.h"

#include <string.h>

/* Bytes of objects, and where their words stand in them. */
enum {
	STRING = 32, /* where its text is, its length, and its room or a short text */
	STRING_ROOM = 16,
	TREE_NODE = 32, /* the color, the parent, the left and the right one */
	PARENT = 8,
	LEFT = 16,
	RIGHT = 24,
	LIST_NODE = 16, /* the next one, and the one before */
	BEFORE = 8,
};

/* What is above a node of a tree, and on its way to the least one below. */
enum { HIGHEST = 64 };

struct library_call {
	const struct image_frame *before;
	GArray *objects;
};

static void add_object(struct library_call *c, uint64_t address, uint64_t size)
{
	const struct library_object o = { address, size };

	if (address && size)
		g_array_append_val(c->objects, o);
}

static uint64_t word_at(const struct library_call *c, uint64_t address)
{
	uint64_t word;

	return address && c->before->read(c->before->arg, address, 8, &word) ? word : 0;
}

static bool is_one_of_names(const char *name, const char *const *all)
{
	for (; *all; all++)
		if (g_str_has_prefix(name, *all))
			return true;
	return false;
}

/* ---- std::string ---- */

/* Its text may be another one, or gone, afterwards. */
static void add_text_object(struct library_call *c, uint64_t string)
{
	const uint64_t text = word_at(c, string);

	add_object(c, string, STRING);
	if (text && text != string + STRING_ROOM)
		add_object(c, text, word_at(c, string + STRING_ROOM) + 1);
}

/* name: behind that of the class. */
static bool written_by_const_string(const char *name)
{
	static const char *const others[] = { "6substr", "4copy", "13get_allocator", NULL };

	return !is_one_of_names(name, others);
}

static bool written_by_string(struct library_call *c, const char *name)
{
	static const char *const read[] = { "5begin", "3end",  "ix",	"2at",
					    "5front", "4back", "4data", "13_M_local_data",
					    NULL };
	static const char *const copy[] = { "7_S_copyEPc", "7_S_moveEPc", NULL };
	const uint64_t *regs = c->before->regs;

	if (is_one_of_names(name, read))
		return true;
	if (is_one_of_names(name, copy))
		add_object(c, regs[TRACE_RDI], regs[TRACE_RDX]);
	else if (g_str_has_prefix(name, "9_S_assignEPc"))
		add_object(c, regs[TRACE_RDI], regs[TRACE_RSI]);
	else if (g_str_has_prefix(name, "13_S_copy_charsEPc"))
		add_object(c, regs[TRACE_RDI], regs[TRACE_RDX] - regs[TRACE_RSI]);
	else if (g_str_has_prefix(name, "12_Alloc_hider"))
		add_object(c, regs[TRACE_RDI], sizeof(uint64_t));
	else if (g_str_has_prefix(name, "9_M_create"))
		add_object(c, regs[TRACE_RSI], sizeof(uint64_t));
	else {
		add_text_object(c, regs[TRACE_RDI]);
		if (g_str_has_suffix(name, "EOS4_") || g_str_has_suffix(name, "ERS4_"))
			add_text_object(c, regs[TRACE_RSI]);
	}
	return true;
}

/* ---- trees ---- */

static void add_family(struct library_call *c, uint64_t node)
{
	const uint64_t below[] = { word_at(c, node + LEFT), word_at(c, node + RIGHT) };

	add_object(c, node, TREE_NODE);
	for (size_t i = 0; i < G_N_ELEMENTS(below); i++) {
		add_object(c, below[i], TREE_NODE);
		add_object(c, word_at(c, below[i] ? below[i] + LEFT : 0), TREE_NODE);
		add_object(c, word_at(c, below[i] ? below[i] + RIGHT : 0), TREE_NODE);
	}
}

static void add_tree_nodes(struct library_call *c, uint64_t node)
{
	uint64_t at = node;

	for (unsigned i = 0; at && i < HIGHEST; i++) {
		add_family(c, at);
		at = word_at(c, at + PARENT);
		if (at == node)
			break;
	}
	at = node ? word_at(c, node + RIGHT) : 0;
	for (unsigned i = 0; at && i < HIGHEST; i++) {
		add_family(c, at);
		at = word_at(c, at + LEFT);
	}
}

static bool written_of_tree(struct library_call *c, const char *name)
{
	const uint64_t *regs = c->before->regs;

	if (g_str_has_prefix(name, "_ZSt18_Rb_tree_incrementP") ||
	    g_str_has_prefix(name, "_ZSt18_Rb_tree_decrementP"))
		return true;
	if (g_str_has_prefix(name, "_ZSt29_Rb_tree_insert_and_rebalanceb")) {
		add_object(c, regs[TRACE_RSI], TREE_NODE);
		add_tree_nodes(c, regs[TRACE_RDX]);
		add_family(c, regs[TRACE_RCX]);
		return true;
	}
	if (g_str_has_prefix(name, "_ZSt28_Rb_tree_rebalance_for_erase")) {
		add_tree_nodes(c, regs[TRACE_RDI]);
		add_family(c, regs[TRACE_RSI]);
		return true;
	}
	return false;
}

/* ---- lists ---- */

static void add_list_node(struct library_call *c, uint64_t node)
{
	add_object(c, node, LIST_NODE);
	add_object(c, word_at(c, node), LIST_NODE);
	add_object(c, word_at(c, node ? node + BEFORE : 0), LIST_NODE);
}

static bool written_of_list(struct library_call *c, const char *name)
{
	static const char class_name[] = "_ZNSt8__detail15_List_node_base";
	const uint64_t *regs = c->before->regs;

	if (!g_str_has_prefix(name, class_name))
		return false;
	name += strlen(class_name);
	if (!g_str_has_prefix(name, "7_M_hook") && !g_str_has_prefix(name, "9_M_unhook"))
		return false; /* all nodes of the list */
	add_list_node(c, regs[TRACE_RDI]);
	if (g_str_has_prefix(name, "7_M_hook"))
		add_list_node(c, regs[TRACE_RSI]);
	return true;
}

/* ---- the door ---- */

bool library_objects_written(const char *name, const struct image_frame *before, GArray *objects)
{
	static const char string[] = "St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
	struct library_call c = { before, objects };
	const char *in;
	bool constant;

	if (!name || !g_str_has_prefix(name, "_Z"))
		return false;
	if (g_str_has_prefix(name, "_ZNSaIc")) /* std::allocator<char>, which is empty */
		return true;
	if (written_of_tree(&c, name) || written_of_list(&c, name))
		return true;
	if (!g_str_has_prefix(name, "_ZN"))
		return false;
	constant = name[strlen("_ZN")] == 'K';
	in = name + strlen("_ZN") + constant;
	if (!g_str_has_prefix(in, string))
		return false;
	in += strlen(string);
	return constant ? written_by_const_string(in) : written_by_string(&c, in);
}
