#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 300
# gdb-why evaluate beyond one machine, by the commands of gdbext/doc/evaluate.md: shards under GNU parallel
# over ssh, and as an array of Slurm's own daemons, all on this machine under several names.  A shard that
# dies is run again without loss, and what is merged is what one run gives.  A part whose programs are
# not installed is left out.
set -u
. tests/gdbext/evaluate/subjects.sh
PATH=$PATH:/usr/sbin:/sbin
tmp=$(mktemp -d) why=$(realpath "$WHY_BIN") failed=0 tried=
pids=
finish() {
	for pid in $pids; do kill "$pid" 2>/dev/null; done
	wait 2>/dev/null
	rm -rf "$tmp"
}
trap finish EXIT
complain() {
	echo "$*"
	failed=1
}
have() {
	local program
	for program; do
		command -v "$program" >/dev/null || { echo "$program is not installed"; return 1; }
	done
}
# until_it COMMAND...: it has to hold within 30 s
until_it() {
	local n
	for n in $(seq 300); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	complain "after 30 s still not: $*"
	return 1
}
same() { # DIR DIR: all but times
	diff -r -x times.csv -x '*.times.csv' -x build "$1" "$2" >"$tmp/diff" ||
		complain "$1 and $2 differ: $(head -n 5 "$tmp/diff")"
}
free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

make_subject "$tmp/mid"
# Each shard's first attempt dies in the middle of its work.
cat >"$tmp/once" <<'END'
#!/bin/bash
# once NAME COMMAND...: the first time it is killed, the second time it is let be
name=$1
shift
[ -e "$name.died" ] && exec "$@"
"$@" 2>/dev/null &
pid=$!
sleep 0.15
kill -KILL $pid 2>/dev/null
: >"$name.died"
wait $pid 2>/dev/null
exit 1
END
chmod +x "$tmp/once"
export XDG_CACHE_HOME=$tmp/cache
"$why" evaluate -o "$tmp/one" "$tmp/mid" 2>"$tmp/said" || complain "one run: $(cat "$tmp/said")"
mkdir "$tmp/parallel" "$tmp/slurm"

over_ssh() {
	have parallel sshd ssh ssh-keygen python3 || return
	local port
	port=$(free_port)
	ssh-keygen -q -t ed25519 -N '' -f "$tmp/host" && ssh-keygen -q -t ed25519 -N '' -f "$tmp/key" || return
	cat >"$tmp/sshd_config" <<-END
	Port $port
	ListenAddress 127.0.0.1
	HostKey $tmp/host
	PidFile none
	AuthorizedKeysFile $tmp/key.pub
	StrictModes no
	UsePAM no
	PasswordAuthentication no
	MaxStartups 100
	END
	cat >"$tmp/ssh_config" <<-END
	Host host1 host2
	HostName 127.0.0.1
	Port $port
	IdentityFile $tmp/key
	IdentitiesOnly yes
	StrictHostKeyChecking no
	UserKnownHostsFile /dev/null
	LogLevel ERROR
	END
	[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
	"$(command -v sshd)" -D -e -f "$tmp/sshd_config" 2>"$tmp/sshd.log" &
	pids="$pids $!"
	until_it ssh -F "$tmp/ssh_config" host1 true || { cat "$tmp/sshd.log"; return; }
	tried="$tried parallel"
	cd "$tmp/parallel" || return
	seq 2 | PARALLEL_SSH="ssh -F $tmp/ssh_config" parallel --sshlogin host1,host2 --workdir "$PWD" --retries 3 \
		XDG_CACHE_HOME="$tmp/cache.{}" "$tmp/once" part{} "$why" evaluate --jobs 1 --shard {}/2 -o part{} \
		"$tmp/mid" >"$tmp/said" 2>&1 || complain "parallel: $(cat "$tmp/said")"
	[ -e part1.died ] && [ -e part2.died ] || complain "parallel: no shard died"
	grep -q 'Accepted publickey' "$tmp/sshd.log" || complain "parallel: nobody came by ssh"
	"$why" evaluate --merge -o all part1 part2 || complain "parallel: merge"
	cd - >/dev/null || return
	same "$tmp/one" "$tmp/parallel/all"
}

all_nodes_idle() {
	[ "$(sinfo -h -o %t)" = idle ]
}
array() {
	timeout 60 sbatch --wait --array=1-2 --requeue --wrap \
		"XDG_CACHE_HOME=$tmp/cache.\$SLURM_ARRAY_TASK_ID '$tmp/once' part\$SLURM_ARRAY_TASK_ID '$why' evaluate \
		--jobs 1 --shard \$SLURM_ARRAY_TASK_ID/2 -o part\$SLURM_ARRAY_TASK_ID '$tmp/mid'" >/dev/null
}
over_slurm() {
	have slurmctld slurmd sbatch sinfo python3 || return
	[ "$(id -u)" = 0 ] || { echo "slurmd needs root"; return; }
	local host
	host=$(hostname -s)
	mkdir "$tmp/state" "$tmp/spool"
	export SLURM_CONF=$tmp/slurm.conf
	echo 'CgroupPlugin=cgroup/v1' >"$tmp/cgroup.conf"
	cat >"$SLURM_CONF" <<-END
	ClusterName=here
	SlurmctldHost=$host(127.0.0.1)
	SlurmctldPort=$(free_port)
	SlurmdPort=$(free_port)
	SlurmUser=root
	AuthType=auth/none
	CredType=cred/none
	StateSaveLocation=$tmp/state
	SlurmdSpoolDir=$tmp/spool
	SlurmctldPidFile=$tmp/slurmctld.pid
	SlurmdPidFile=$tmp/slurmd.pid
	SlurmctldLogFile=$tmp/slurmctld.log
	SlurmdLogFile=$tmp/slurmd.log
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core
	ReturnToService=2
	SchedulerParameters=sched_interval=1,requeue_delay=0
	MinJobAge=300
	NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
	PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	slurmctld -D 2>"$tmp/slurmctld.err" &
	pids="$pids $!"
	slurmd -D 2>"$tmp/slurmd.err" &
	pids="$pids $!"
	until_it all_nodes_idle ||
		{ tail -n 5 "$tmp/slurmctld.log" "$tmp/slurmd.log" "$tmp/slurmctld.err" "$tmp/slurmd.err"; return; }
	tried="$tried slurm"
	cd "$tmp/slurm" || return
	array 2>"$tmp/said" && complain "slurm: a shard that dies is no failure"
	[ -e part1.died ] && [ -e part2.died ] || complain "slurm: no shard died"
	array 2>"$tmp/said" || complain "sbatch: $(cat "$tmp/said" slurm-*.out; tail -n 5 "$tmp/slurmctld.log")"
	"$why" evaluate --merge -o all part1 part2 || complain "slurm: merge: $(cat slurm-*.out)"
	cd - >/dev/null || return
	same "$tmp/one" "$tmp/slurm/all"
}

over_ssh
over_slurm
[ -n "$tried" ] || exit 77
exit $failed
