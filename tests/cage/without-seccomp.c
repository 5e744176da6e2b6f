/* SPDX-License-Identifier: GPL-3.0-or-later */
/* without-seccomp REFUSED PROGRAM ARGS…: runs it where seccomp(2) is refused, as some containers
 * do. REFUSED: "all" of it, with EPERM; "missing": with ENOSYS; "notification": only filters with a
 * listener, with EBUSY, as below another listener. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *refused = argc > 2 ? argv[1] : "";
	const int some = !strcmp(refused, "notification");
	const unsigned error = some ? EBUSY : !strcmp(refused, "missing") ? ENOSYS : EPERM;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | (some ? BPF_JSET : BPF_JGE) | BPF_K,
			 some ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };

	if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 126;
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
