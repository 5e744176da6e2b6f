# SPDX-License-Identifier: GPL-3.0-or-later
#
# The measurements of one version's tests, one a line, to a row of the table.
# Columns: version line kind rank answers proven single single-proven runs
# iterations ms gdb-ms status.

function median(values, n,    i, j, swap)
{
	for (i = 1; i <= n; i++)
		for (j = i + 1; j <= n; j++)
			if (values[j] < values[i]) {
				swap = values[i]
				values[i] = values[j]
				values[j] = swap
			}
	return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}

{
	n++
	version = $1
	line = $2
	kind = $3
	if ($4 != "-") {
		ranks += $4
		found++
	}
	answers += $5
	proven += $6
	single += $7
	single_proven += $8
	runs += $9
	iterations += $10
	ms[n] = $11
	gdb[n] = $12
	ratio[n] = $12 > 0 ? $11 / $12 : 0
}

END {
	if (n)
		printf "%-5s %4d  %-16s %5s %5s %7.1f %6s %7s %5.1f %5.1f %8.0f %7.0f %6.1f\n", version,
			line, kind, found ? sprintf("%.1f", ranks / found) : "-", (found + 0) "/" n,
			answers / n, answers ? sprintf("%.0f %%", 100 * proven / answers) : "-",
			single_proven "/" single, runs / n, iterations / n, median(ms, n), median(gdb, n),
			median(ratio, n)
}
