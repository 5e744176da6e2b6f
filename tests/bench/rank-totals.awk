# SPDX-License-Identifier: GPL-3.0-or-later
# Rows of version, technique, rank ("-": the line has no code), lines; one row a
# technique, best mean rank first, and two more for each technique that explains: of odd
# versions, by which the order of answers was tuned, and of even ones, which are only measured.
BEGIN { FS = "\t" }
function count(t) {
	rank[t, ++n[t]] = $3 + 0
	sum[t] += $3; effort[t] += $3 / $4
	top1[t] += $3 <= 1; top3[t] += $3 <= 3; top5[t] += $3 <= 5; top10[t] += $3 <= 10
}
$3 != "-" {
	if (!($2 in n)) order[++techniques] = $2
	count($2)
	if ($2 ~ /^(ofc|joint|ba)/)
		count($2 (substr($1, 2) % 2 ? ", odd versions" : ", even versions"))
}
function median(t,   i, j, x, a) {
	for (i = 1; i <= n[t]; i++) {
		x = rank[t, i]
		for (j = i - 1; j > 0 && a[j] > x; j--) a[j + 1] = a[j]
		a[j + 1] = x
	}
	return n[t] % 2 ? a[(n[t] + 1) / 2] : (a[n[t] / 2] + a[n[t] / 2 + 1]) / 2
}
function row(t) {
	if (n[t])
		printf "%-22s %8d %7.2f %7.2f %6d %5d %5d %6d %5.1f%%\n", t, n[t], sum[t] / n[t], median(t),
			top1[t], top3[t], top5[t], top10[t], 100 * effort[t] / n[t]
}
END {
	for (i = 1; i <= techniques; i++)
		for (j = i; j > 1 && sum[order[j]] < sum[order[j - 1]]; j--) {
			x = order[j]; order[j] = order[j - 1]; order[j - 1] = x
		}
	printf "\n%-22s %8s %7s %7s %6s %5s %5s %6s %6s\n", "technique", "versions", "mean", "median",
		"top-1", "top-3", "top-5", "top-10", "EXAM"
	for (i = 1; i <= techniques; i++) {
		row(order[i])
		row(order[i] ", odd versions")
		row(order[i] ", even versions")
	}
}
