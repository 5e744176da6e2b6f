/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libc's functions for signal handlers, so that handlers are the agent's. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <errno.h>

extern int __sigaction(int signo, const struct sigaction *action, struct sigaction *old);

typedef void (*plain_handler)(int);

/* Handlers run in signal context: written whole before they are in force. */
static struct program_action actions[65];

struct program_action program_action(int signo)
{
	return signo > 0 && signo < 65 ? actions[signo] : (struct program_action){ 0 };
}

uint64_t signals_seen(void)
{
	const uint64_t faults = 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) |
				1ull << (SIGFPE - 1) | 1ull << (SIGILL - 1);

	return agent.jit ? faults : 0;
}

#define RESTORER 0x04000000   /* what libc adds to the flags */
#define STAND_IN (1ull << 63) /* the last real-time signal */

uint64_t signal_mask_hide(uint64_t mask)
{
	uint64_t seen = signals_seen();

	if (!seen)
		return mask;
	agent_tls.hidden = mask & (seen | STAND_IN);
	return mask & seen ? (mask & ~seen) | STAND_IN : mask;
}

uint64_t signal_mask_shown(uint64_t mask)
{
	uint64_t hidden = agent_tls.hidden;

	return mask & STAND_IN && hidden & signals_seen() ? (mask & ~STAND_IN) | hidden : mask;
}

static bool is_signal_seen(int signo)
{
	return signals_seen() >> (signo - 1) & 1;
}

static uint64_t mask_of(const struct sigaction *action)
{
	uint64_t mask;

	__builtin_memcpy(&mask, &action->sa_mask, sizeof mask);
	return mask;
}

static bool is_function(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static void set_mask_of(struct sigaction *action, uint64_t mask)
{
	__builtin_memcpy(&action->sa_mask, &mask, sizeof mask);
}

/* What the program would have got without the agent. */
static void show_old(int signo, struct sigaction *old, const struct program_action *was)
{
	if (is_signal_seen(signo)) {
		old->sa_handler = (plain_handler)(uintptr_t)was->handler;
		old->sa_flags = (int)(was->flags | (was->set ? RESTORER : 0));
		set_mask_of(old, was->mask);
		return;
	}
	if (old->sa_sigaction != agent_handler)
		return;
	old->sa_handler = (plain_handler)(uintptr_t)was->handler;
	if (!(was->flags & SA_SIGINFO))
		old->sa_flags &= ~SA_SIGINFO;
}

static void learn_restorer(int signo)
{
	struct {
		uint64_t handler, flags, restorer, mask;
	} now = { 0 };

	if (!agent.restorer && !sys4(SYS_rt_sigaction, signo, 0, (long)&now, 8))
		agent.restorer = now.restorer;
}

/* Does the signal end the program where it comes, whatever handler it has? */
static bool is_ending_fault(int signo)
{
	return agent.plan->flags & TRACE_FAULTS_END &&
	       (signo == SIGSEGV || signo == SIGBUS || signo == SIGFPE || signo == SIGILL);
}

EXPORTED int sigaction(int signo, const struct sigaction *action, struct sigaction *old)
{
	struct program_action was = program_action(signo);
	struct sigaction ours, before, ending;

	if (!agent.plan || signo < 1 || signo > 64)
		return __sigaction(signo, action, old);
	if (action && is_function(action) && is_ending_fault(signo)) {
		ending = (struct sigaction){ .sa_handler = SIG_DFL };
		action = &ending;
	}
	if (action && (is_function(action) || is_signal_seen(signo))) {
		ours = is_function(action) ? *action : (struct sigaction){ .sa_flags = SA_ONSTACK };
		ours.sa_sigaction = agent_handler;
		ours.sa_flags |= SA_SIGINFO;
		set_mask_of(&ours, mask_of(&ours) & ~signals_seen());
		actions[signo] = (struct program_action){ (uint64_t)action->sa_handler,
							  (uint64_t)action->sa_flags,
							  mask_of(action), true };
		action = &ours;
	}
	if (__sigaction(signo, action, &before)) {
		actions[signo] = was;
		return -1;
	}
	if (action == &ours)
		learn_restorer(signo);
	show_old(signo, &before, &was);
	if (old)
		*old = before;
	return 0;
}

static plain_handler set_handler(int signo, plain_handler handler, int flags, bool masked)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags }, old;

	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	sigemptyset(&action.sa_mask);
	if (masked && sigaddset(&action.sa_mask, signo))
		return SIG_ERR;
	return sigaction(signo, &action, &old) ? SIG_ERR : old.sa_handler;
}

EXPORTED plain_handler signal(int signo, plain_handler handler)
{
	return set_handler(signo, handler, SA_RESTART, true);
}

EXPORTED plain_handler bsd_signal(int signo, plain_handler handler);
EXPORTED plain_handler bsd_signal(int signo, plain_handler handler)
{
	return signal(signo, handler);
}

EXPORTED plain_handler ssignal(int signo, plain_handler handler)
{
	return signal(signo, handler);
}

EXPORTED plain_handler __sysv_signal(int signo, plain_handler handler)
{
	return set_handler(signo, handler, (int)(SA_RESETHAND | SA_NODEFER), false);
}

EXPORTED plain_handler sysv_signal(int signo, plain_handler handler)
{
	return __sysv_signal(signo, handler);
}

EXPORTED int sigignore(int signo)
{
	return set_handler(signo, SIG_IGN, 0, false) == SIG_ERR ? -1 : 0;
}

EXPORTED plain_handler sigset(int signo, plain_handler handler)
{
	sigset_t one, before;
	struct sigaction old;
	plain_handler result;

	sigemptyset(&one);
	if (sigaddset(&one, signo))
		return SIG_ERR;
	if (handler == SIG_HOLD) {
		if (sigprocmask(SIG_BLOCK, &one, &before) || sigaction(signo, NULL, &old))
			return SIG_ERR;
		result = old.sa_handler;
	} else {
		result = set_handler(signo, handler, 0, false);
		if (result == SIG_ERR || sigprocmask(SIG_UNBLOCK, &one, &before))
			return SIG_ERR;
	}
	return sigismember(&before, signo) ? SIG_HOLD : result;
}

void signals_start(void)
{
	struct sigaction ours = { .sa_sigaction = agent_handler,
				  .sa_flags = SA_SIGINFO | SA_ONSTACK };

	uint8_t xmm[8][16];

	xmm_store(xmm); /* the first record holds what the program starts with */
	for (int signo = 1; signo < 32; signo++)
		if (is_signal_seen(signo) && !__sigaction(signo, &ours, NULL))
			learn_restorer(signo);
	xmm_load((const uint8_t(*)[16])xmm);
}

/* Ours is not to be seen, and stands in where the program has none. */
EXPORTED int sigaltstack(const stack_t *stack, stack_t *old)
{
	struct agent_thread *t = agent_tls.thread;
	long bad = sys3(SYS_sigaltstack, (long)stack, (long)old, 0);

	if (bad) {
		errno = (int)-bad;
		return -1;
	}
	if (t && old && old->ss_sp == t->signal_stack)
		*old = (stack_t){ .ss_flags = SS_DISABLE };
	if (t && stack && stack->ss_flags & SS_DISABLE)
		signal_stack_set(t);
	return 0;
}

EXPORTED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t mask = 0, before = 0;
	long bad = sys4(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&before, 8);

	if (set) {
		__builtin_memcpy(&mask, set, sizeof mask);
		mask &= ~(1ull << 31 | 1ull << 32); /* libc's own */
		mask = how == SIG_BLOCK	    ? signal_mask_shown(before) | mask
		       : how == SIG_UNBLOCK ? signal_mask_shown(before) & ~mask
					    : mask;
	}
	if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
		return EINVAL;
	before = signal_mask_shown(before);
	if (set && !bad) {
		mask = signal_mask_hide(mask);
		bad = sys4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, 8);
	}
	if (!bad && old)
		__builtin_memcpy(old, &before, sizeof before);
	return (int)-bad;
}

EXPORTED int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int bad = pthread_sigmask(how, set, old);

	if (bad)
		errno = bad;
	return bad ? -1 : 0;
}
