# SPDX-License-Identifier: GPL-3.0-or-later
#
# Fills a man page with what `gdb-why help COMMAND' prints, so that both say the same:
#
#     gdb-why help explain >help
#     awk -v help=help -f gdbext/doc/help-to-man.awk gdbext/doc/gdb-why-explain.1
#
# The line `.\" options' becomes the sections of options, `.\" keys' the panel's keys, and
# `.\" statuses' the exit statuses.

function roff(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	sub(/^[.']/, "\\\\\\&&", text)
	return text
}

function sentence(text) {
	text = toupper(substr(text, 1, 1)) substr(text, 2)
	return roff(text) (text ~ /\.$/ ? "" : ".")
}

# One entry of a list; `head' is roff already.
function entry(part, head, text) {
	list[part] = list[part] ".TP\n" head "\n" text "\n"
}

function finish_option() {
	if (option != "")
		entry(part, option, sentence(words))
	option = words = ""
}

# "  -o, --output FILE" in roff.
function option_head(text,    n, part, i, out) {
	gsub(/,/, "", text)
	n = split(text, part, " ")
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? (part[i] ~ /^-/ ? ", " : " ") : "") \
			(part[i] ~ /^-/ ? "\\fB" : "\\fI") roff(part[i]) "\\fR"
	return out
}

BEGIN {
	while ((getline line < help) > 0) {
		if (line ~ /^(Options|Options for experts|Keys|Exit status):$/) {
			finish_option()
			part = line
			sub(/:$/, "", part)
			continue
		}
		if (part == "Exit status" && line ~ /^  [0-9]/) {
			n = line + 0
			sub(/^ *[0-9]+ */, "", line)
			entry(part, ".B " n, sentence(line))
		} else if (part == "Keys" && line != "") {
			entry(part, ".B " roff(cut(substr(line, 3, 18))), roff(substr(line, 22)))
		} else if (part ~ /^Options/ && line ~ /^ +(-[A-Za-z], )?--/) {
			finish_option()
			# Two blanks end the option, unless it is too long for that.
			match(substr(line, 7), /  +|$/)
			option = option_head(substr(line, 1, 6 + RSTART - 1))
			words = substr(line, 6 + RSTART + RLENGTH)
		} else if (option != "" && line ~ /^                    /) {
			words = words (words == "" ? "" : " ") cut(line)
		} else if (line == "") {
			finish_option()
		}
	}
	finish_option()
}

function cut(text) {
	gsub(/^ +| +$/, "", text)
	return text
}

/^\.\\" options$/ {
	printf ".SH OPTIONS\n%s", list["Options"]
	if (list["Options for experts"] != "")
		printf ".SH OPTIONS FOR EXPERTS\n%s", list["Options for experts"]
	next
}
/^\.\\" keys$/ {
	printf ".SH KEYS\n%s", list["Keys"]
	next
}
/^\.\\" statuses$/ {
	printf ".SH EXIT STATUS\n%s", list["Exit status"]
	next
}
{ print }
