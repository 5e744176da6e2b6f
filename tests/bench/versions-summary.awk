# SPDX-License-Identifier: GPL-3.0-or-later
#
# All measurements (columns as in versions-row.awk) to the last lines.  A version
# ranks by the mean over the tests that suspect its faulty line.  A fault of
# kind "data" stands in a table that no instruction writes: nothing to suspect.

function sorted_into(values, n,    i, j, swap)
{
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && values[j] < values[j - 1]; j--) {
			swap = values[j]
			values[j] = values[j - 1]
			values[j - 1] = swap
		}
}

function median(values, n)
{
	if (!n)
		return 0
	sorted_into(values, n)
	return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}

{
	if (!($1 in kind))
		order[++versions] = $1
	kind[$1] = $3
	if ($4 != "-") {
		sum[$1] += $4
		found[$1]++
	}
	tests++
	explained += $13 == 0
	answers += $5
	proven += $6
	single += $7
	single_proven += $8
	runs += $9
	ratio[tests] = $12 > 0 ? $11 / $12 : 0
	ms[tests] = $11
}

END {
	for (i = 1; i <= versions; i++) {
		v = order[i]
		if (kind[v] == "data")
			data++
		if (!found[v]) {
			if (kind[v] != "data")
				missed = missed " " v
			continue
		}
		rank[++ranked] = sum[v] / found[v]
		total += rank[ranked]
		for (n = 1; n <= 10; n++)
			top[n] += rank[ranked] <= n
	}
	printf "\n%d versions, %d tests, %d explained\n", versions, tests, explained
	printf "faulty line suspected in %d of %d versions (%d more are faults in data)%s\n",
		ranked, versions - data, data, missed ? "; not in" missed : ""
	if (ranked)
		printf "rank: mean %.1f, median %.1f; top 1 %d, top 3 %d, top 5 %d, top 10 %d\n",
			total / ranked, median(rank, ranked), top[1], top[3], top[5], top[10]
	printf "answers: %d, %d proven; of one line: %d, %d proven\n", answers, proven, single,
		single_proven
	printf "runs: %.1f a test; time: median %.0f ms, %.1f times plain GDB (median)\n",
		runs / tests, median(ms, tests), median(ratio, tests)
}
