/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/workshop/versions.h"
#include "gdbext/regress/workshop/folders.h"
#include "solver/regress/units.h"

#include <errno.h>
#include <git2.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool git_failed(GError **error, const char *what, const char *name)
{
	const git_error *e = git_error_last();

	g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_VERSION, "Cannot %s %s: %s.", what, name,
		    e ? e->message : "libgit2 does not say why");
	return false;
}

/* Can a configuration of git there be read, or is there none? */
static bool is_readable_repository(const char *folder)
{
	static const char *const names[] = { ".gitconfig", "config", "gitconfig" };
	bool ok = true;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(folder, names[i], NULL);

		ok &= !access(path, R_OK) || errno != EACCES;
	}
	return ok;
}

/* libgit2 opens no repository when a folder that may have a configuration cannot be read, as the
 * home of another user; git goes on without. */
static void leave_out_unreadable(git_config_level_t level)
{
	git_buf known = { 0 };
	g_auto(GStrv) folders = NULL;
	g_autoptr(GPtrArray) left = g_ptr_array_new();
	g_autofree char *path = NULL;

	if (git_libgit2_opts(GIT_OPT_GET_SEARCH_PATH, level, &known) || !known.ptr)
		return;
	folders = g_strsplit(known.ptr, ":", -1);
	git_buf_dispose(&known);
	for (char **f = folders; *f; f++)
		if (**f && is_readable_repository(*f))
			g_ptr_array_add(left, *f);
	if (left->len == g_strv_length(folders))
		return;
	g_ptr_array_add(left, NULL);
	path = g_strjoinv(":", (char **)left->pdata);
	git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, path);
}

static void begin_git(void)
{
	static const git_config_level_t levels[] = { GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
						     GIT_CONFIG_LEVEL_GLOBAL };

	git_libgit2_init();
	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++)
		leave_out_unreadable(levels[i]);
}

/* The folder of the repository that the directory is in, whoever owns it; free it.  NULL = there is
 * none. */
static char *find_repository(const char *directory)
{
	git_buf found = { 0 };
	char *folder = NULL;

	if (!git_repository_discover(&found, directory, 0, NULL)) {
		g_autofree char *path = g_canonicalize_filename(found.ptr, NULL);

		folder = g_str_has_suffix(path, "/.git") ? g_path_get_dirname(path)
							 : g_steal_pointer(&path);
	}
	git_buf_dispose(&found);
	return folder;
}

/* A repository of another user: libgit2 does not open it, and says that there is none where no
 * configuration exempts a folder from this. */
static bool is_of_another_user(const char *repository, struct stat *s)
{
	return repository && !stat(repository, s) && s->st_uid != geteuid();
}

static void say_whose(const char *name, const char *repository, const struct stat *s,
		      GError **error)
{
	const struct passwd *owner = getpwuid(s->st_uid);
	g_autofree char *id = g_strdup_printf("%u", s->st_uid);

	g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_VERSION,
		    "There is no folder %s, and the git repository here, %s, belongs to another "
		    "user (%s), so git does not trust it; if you do, allow it with `git config "
		    "--global --add safe.directory %s'.",
		    name, repository, owner ? owner->pw_name : id, repository);
}

static git_repository *open_repository(const char *directory, const char *name, GError **error)
{
	git_repository *repository = NULL;
	const git_error *e;
	int status = git_repository_open_ext(&repository, directory ? directory : ".", 0, NULL);
	g_autofree char *folder = NULL;
	struct stat s;

	if (!status)
		return repository;
	e = git_error_last();
	folder = find_repository(directory ? directory : ".");
	if ((status == GIT_ENOTFOUND || status == GIT_EOWNER) && is_of_another_user(folder, &s))
		say_whose(name, folder, &s, error);
	else if (status == GIT_ENOTFOUND)
		g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_VERSION,
			    "There is no folder %s, and no git repository here that could have a "
			    "revision of that name; name a folder, or start in the repository.",
			    name);
	else
		g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_VERSION,
			    "There is no folder %s, and the git repository here cannot be read: "
			    "%s; `git status' here says more.",
			    name, e ? e->message : "libgit2 does not say why");
	return NULL;
}

static git_commit *find_commit(git_repository *repository, const char *name, GError **error)
{
	git_object *object = NULL, *commit = NULL;

	if (git_revparse_single(&object, repository, name) ||
	    git_object_peel(&commit, object, GIT_OBJECT_COMMIT))
		g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_VERSION,
			    "There is neither a folder nor a revision %s; `git log --oneline' "
			    "lists the revisions.",
			    name);
	git_object_free(object);
	return (git_commit *)commit;
}

/* All files get the same time, so that nothing seems to be made from something younger. */
static bool even_out_times(const char *folder, gint64 seconds, GError **error)
{
	g_autoptr(GPtrArray) entries = regress_folder_list(folder, error);

	for (guint i = 0; entries && i < entries->len; i++) {
		const struct regress_entry *e = g_ptr_array_index(entries, i);

		regress_folder_touch(folder, e->path, seconds * 1000000000);
	}
	return entries != NULL;
}

static bool check_out(git_repository *repository, git_commit *commit, const char *folder,
		      GError **error)
{
	git_checkout_options options;

	git_checkout_options_init(&options, GIT_CHECKOUT_OPTIONS_VERSION);
	options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_DONT_UPDATE_INDEX;
	options.target_directory = folder;
	options.disable_filters = 1;
	if (git_checkout_tree(repository, (git_object *)commit, &options))
		return git_failed(error, "write the files of a revision to", folder);
	return even_out_times(folder, git_commit_time(commit), error);
}

static char *commit_name(git_commit *commit)
{
	char id[8];
	const char *summary = git_commit_summary(commit);

	git_oid_tostr(id, sizeof id, git_commit_id(commit));
	return g_strdup_printf("%s %s", id, summary ? summary : "");
}

static char *open_folder(const char *path, const char *room, GError **error)
{
	char *folder = realpath(path, NULL), *real_room = realpath(room, NULL);
	gsize n = folder ? strlen(folder) : 0;
	char *result = NULL;

	if (!folder || !real_room)
		g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_VERSION, "Cannot look into %s: %s.",
			    path, g_strerror(errno));
	else if (strncmp(real_room, folder, n) == 0 && strchr("/", real_room[n]))
		g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_VERSION,
			    "Versions are built in %s, which lies in the version %s itself; name "
			    "another folder with --keep or GDB_WHY_TMPDIR.",
			    room, path);
	else
		result = g_strdup(folder);
	free(folder);
	free(real_room);
	return result;
}

/* A folder as it is, or a revision in room/as.  *name: for people. */
static char *open_version(const char *directory, const char *version, const char *room,
			  const char *as, char **name, GError **error)
{
	g_autofree char *path = g_path_is_absolute(version) || !directory
					? g_strdup(version)
					: g_build_filename(directory, version, NULL);
	char *folder = NULL;
	git_repository *repository;
	git_commit *commit;

	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		*name = g_strdup(version);
		return open_folder(path, room, error);
	}
	repository = open_repository(directory, version, error);
	commit = repository ? find_commit(repository, version, error) : NULL;
	if (commit) {
		*name = commit_name(commit);
		folder = g_build_filename(room, as, NULL);
		if (!check_out(repository, commit, folder, error))
			g_clear_pointer(&folder, g_free);
	}
	git_commit_free(commit);
	git_repository_free(repository);
	return folder;
}

/* Both trees as git sees them: what is the same in both is left out. */
struct trees {
	git_repository *repository; /* a private one */
	git_index *old, *newer;
};

static bool add_blob(struct trees *t, git_index *index, const struct regress_entry *e,
		     GBytes *bytes, GError **error)
{
	git_index_entry entry = { .mode = e->mode, .path = e->path };
	gsize size;
	const void *data = g_bytes_get_data(bytes, &size);

	if (git_blob_create_from_buffer(&entry.id, t->repository, data, size) ||
	    git_index_add(index, &entry))
		return git_failed(error, "read", e->path);
	return true;
}

/* A text of the old version that names the folder of that version, as what `configure' makes does,
 * names the new version's in the mixtures: they are built there. */
static GBytes *at_home(const struct regress_versions *v, GBytes *bytes)
{
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);
	g_autofree char *quoted = NULL, *pattern = NULL;
	g_autoptr(GRegex) regex = NULL;
	char *moved;

	if (!size || memchr(data, '\0', size) || !g_strstr_len(data, (gssize)size, v->old_folder))
		return bytes;
	quoted = g_regex_escape_string(v->old_folder, -1);
	pattern = g_strconcat(quoted, "(?![\\w.-])", NULL);
	regex = g_regex_new(pattern, G_REGEX_RAW, 0, NULL);
	moved = g_regex_replace_literal(regex, data, (gssize)size, 0, v->new_folder, 0, NULL);
	g_bytes_unref(bytes);
	return g_bytes_new_take(moved, strlen(moved));
}

/* One path; either entry may be NULL. */
static bool add_entry_pair(struct regress_versions *v, struct trees *t,
			   const struct regress_entry *old, const struct regress_entry *newer,
			   GError **error)
{
	g_autoptr(GBytes) before = NULL, after = NULL;

	if (old && !(before = regress_folder_read(v->old_folder, old, error)))
		return false;
	before = before ? at_home(v, before) : NULL;
	if (newer && !(after = regress_folder_read(v->new_folder, newer, error)))
		return false;
	if (old && newer && old->mode == newer->mode && g_bytes_equal(before, after))
		return true;
	if ((before && regress_is_built(old->path, before)) ||
	    (after && regress_is_built(newer->path, after))) {
		v->built++;
		return true;
	}
	return (!old || add_blob(t, t->old, old, before, error)) &&
	       (!newer || add_blob(t, t->newer, newer, after, error));
}

static bool read_version_trees(struct regress_versions *v, struct trees *t, GError **error)
{
	g_autoptr(GPtrArray) old = regress_folder_list(v->old_folder, error);
	g_autoptr(GPtrArray) newer = old ? regress_folder_list(v->new_folder, error) : NULL;
	guint i = 0, k = 0;

	while (newer && (i < old->len || k < newer->len)) {
		const struct regress_entry *a = i < old->len ? g_ptr_array_index(old, i) : NULL;
		const struct regress_entry *b = k < newer->len ? g_ptr_array_index(newer, k) : NULL;
		int order = !a ? 1 : !b ? -1 : strcmp(a->path, b->path);

		if (!add_entry_pair(v, t, order <= 0 ? a : NULL, order >= 0 ? b : NULL, error))
			return false;
		i += order <= 0;
		k += order >= 0;
	}
	return newer != NULL;
}

static GBytes *blob_bytes(git_repository *repository, const git_diff_file *file)
{
	git_blob *blob = NULL;
	GBytes *bytes = NULL;

	if (!git_blob_lookup(&blob, repository, &file->id))
		bytes = g_bytes_new(git_blob_rawcontent(blob), (gsize)git_blob_rawsize(blob));
	git_blob_free(blob);
	return bytes;
}

/* "@@ -1,2 +3,4 @@ static int f(int x)": f. */
static char *function_of_hunk(const git_diff_hunk *hunk)
{
	const char *context = strstr(hunk->header + 2, "@@ ");
	const char *end = context ? strchr(context, '(') : NULL;
	const char *begin;

	if (!end)
		return NULL;
	while (end > context && g_ascii_isspace(end[-1]))
		end--;
	for (begin = end; begin > context && (g_ascii_isalnum(begin[-1]) || begin[-1] == '_');)
		begin--;
	return begin < end ? g_strndup(begin, (gsize)(end - begin)) : NULL;
}

static bool add_hunks(struct regress_versions *v, git_diff *diff, size_t at, GError **error)
{
	git_patch *patch = NULL;

	if (git_patch_from_diff(&patch, diff, at))
		return git_failed(error, "compare", "two files");
	for (size_t i = 0; patch && i < git_patch_num_hunks(patch); i++) {
		const git_diff_hunk *hunk;
		g_autofree char *function = NULL;

		if (git_patch_get_hunk(&hunk, NULL, patch, i))
			continue;
		function = function_of_hunk(hunk);
		regress_changes_add_lines(v->changes, (unsigned)hunk->old_start,
					  (unsigned)hunk->old_lines, (unsigned)hunk->new_start,
					  (unsigned)hunk->new_lines, function);
	}
	git_patch_free(patch);
	return true;
}

static bool add_delta(struct regress_versions *v, git_repository *repository, git_diff *diff,
		      size_t at, GError **error)
{
	const git_diff_delta *d = git_diff_get_delta(diff, at);
	bool old = d->status != GIT_DELTA_ADDED, newer = d->status != GIT_DELTA_DELETED;
	g_autoptr(GBytes) before = old ? blob_bytes(repository, &d->old_file) : NULL;
	g_autoptr(GBytes) after = newer ? blob_bytes(repository, &d->new_file) : NULL;
	const struct regress_file *f = regress_changes_add_file(
		v->changes, old ? d->old_file.path : NULL, d->old_file.mode, before,
		newer ? d->new_file.path : NULL, d->new_file.mode, after);

	if (!f->old_lines || !f->new_lines || git_oid_equal(&d->old_file.id, &d->new_file.id))
		return true;
	return add_hunks(v, diff, at, error);
}

static bool diff_trees(struct regress_versions *v, struct trees *t, GError **error)
{
	git_diff_options options;
	git_diff_find_options renames;
	git_diff *diff = NULL;
	bool ok;

	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	git_diff_find_options_init(&renames, GIT_DIFF_FIND_OPTIONS_VERSION);
	options.context_lines = 0;
	options.interhunk_lines = 0;
	options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_MINIMAL;
	renames.flags = GIT_DIFF_FIND_RENAMES;
	ok = !git_diff_index_to_index(&diff, t->repository, t->old, t->newer, &options) &&
	     !git_diff_find_similar(diff, &renames);
	if (!ok)
		git_failed(error, "compare", "the two versions");
	for (size_t i = 0; ok && i < git_diff_num_deltas(diff); i++) {
		ok = add_delta(v, t->repository, diff, i, error);
		regress_units_join(v->changes);
	}
	git_diff_free(diff);
	return ok;
}

static bool find_changes(struct regress_versions *v, const char *room, GError **error)
{
	g_autofree char *path = g_build_filename(room, "trees", NULL);
	struct trees t = { 0 };
	bool ok = !git_repository_init(&t.repository, path, 1) && !git_index_new(&t.old) &&
		  !git_index_new(&t.newer);

	if (!ok)
		git_failed(error, "make a repository in", path);
	ok = ok && read_version_trees(v, &t, error) && diff_trees(v, &t, error);
	git_index_free(t.old);
	git_index_free(t.newer);
	git_repository_free(t.repository);
	return ok;
}

struct regress_versions *regress_versions_open(const char *directory, const char *old,
					       const char *newer, const char *room, GError **error)
{
	struct regress_versions *v = g_new0(struct regress_versions, 1);

	begin_git();
	v->changes = regress_changes_new();
	v->old_folder = open_version(directory, old, room, "old", &v->old_name, error);
	if (v->old_folder)
		v->new_folder = open_version(directory, newer, room, "new", &v->new_name, error);
	if (v->new_folder && find_changes(v, room, error))
		return v;
	regress_versions_free(v);
	return NULL;
}

void regress_versions_free(struct regress_versions *v)
{
	if (!v)
		return;
	regress_changes_free(v->changes);
	g_free(v->old_folder);
	g_free(v->new_folder);
	g_free(v->old_name);
	g_free(v->new_name);
	g_free(v);
	git_libgit2_shutdown();
}

/* From new back to old along first parents; false when old is not met. */
static bool walk_back(git_commit *old, git_commit *newer, GPtrArray *names)
{
	git_commit *at = NULL;
	bool met = false;

	git_commit_dup(&at, newer);
	while (at && !(met = git_oid_equal(git_commit_id(at), git_commit_id(old)))) {
		git_commit *parent = NULL;
		char id[GIT_OID_HEXSZ + 1];

		git_oid_tostr(id, sizeof id, git_commit_id(at));
		g_ptr_array_insert(names, 0, g_strdup(id));
		if (git_commit_parent(&parent, at, 0))
			parent = NULL;
		git_commit_free(at);
		at = parent;
	}
	git_commit_free(at);
	return met;
}

GPtrArray *regress_commits(const char *directory, const char *old, const char *newer,
			   GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	git_repository *repository;
	git_commit *from = NULL, *to = NULL;
	bool met = false;

	begin_git();
	repository = open_repository(directory, old, error);
	if (repository && (from = find_commit(repository, old, error)) &&
	    (to = find_commit(repository, newer, error))) {
		met = walk_back(from, to, names);
		if (!met)
			g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_VERSION,
				    "%s is no ancestor of %s along first parents, so there is "
				    "nothing to bisect; leave --bisect-first out.",
				    old, newer);
	}
	git_commit_free(from);
	git_commit_free(to);
	git_repository_free(repository);
	git_libgit2_shutdown();
	return met ? g_steal_pointer(&names) : NULL;
}
