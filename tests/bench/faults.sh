#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Faults in real programs, in runs of 10^5 to 10^7 instructions: how high does `gdb-why explain' rank
# the faulty line, and at what cost?
#
#   tests/bench/faults.sh [NAME...]
#
# Each fault is one line of a program of Debian's that sed(1) changes.  A row each: instructions of
# the failing run; at which row the opening (what happened) shows the line, and its rank among the
# suspected lines, - = not there; how many suspects are proven; processor time and peak memory.
# FAULTS_LEVELS="-O0 -O2" compiles otherwise.  FAULTS_FIRST=1 tells instead how long after the
# recording a person at a terminal has the opening, the first proven suspect and the whole answer.  Fetches Debian's sources.
set -u
case ${BUILD:-} in '') BUILD=$(pwd)/build/plain ;; esac
. tests/support/real-lib.sh
why=${WHY_BIN:-$BUILD/gdb-why}
need_tools apt-get dpkg-source make jq
dir=$BUILD/bench/faults
mkdir -p "$dir" || exit 1
ulimit -c 0

# NAME PACKAGE FILE CHANGE (~: a blank), and "output" where the program without the fault tells what
# is right: the arguments and the input, and options of explain, are made by words_NAME.
faults='lua-typename lua5.4 src/ltm.c s/(mt~=~hvalue(o)->metatable)~!=~NULL)/((mt~=~hvalue(o)->metatable),~1))/
lua-metatable lua5.4 src/lapi.c s/^~~if~(mt~!=~NULL)~{/~~if~(mt~!=~NULL~||~ttistable(obj))~{/
lua-rounding lua5.4 src/lvm.c 748s/(r~^~n)~<~0/(r~^~m)~<~0/
lua-ccall lua5.4 src/ldebug.c 827s/if~(isLua(ci))/if~(ci)/
lua-move lua5.4 src/ltablib.c s/if~(t~>~e~||/if~(t~>=~e~||/
gzip-crc gzip unzip.c s/if~(orig_crc~!=~updcrc/if~(orig_crc~==~updcrc/
bc-divide bc lib/number.c s/while~(qdig~<=~len1+scale-len2)/while~(qdig~<~len1+scale-len2)/ output
bc-length bc lib/number.c s/^~~diff_len~=~MAX~(n1->n_len,~n2->n_len);/~~diff_len~=~MIN~(n1->n_len,~n2->n_len);/ output
mawk-substr mawk bi_funct.c s/n~-=~i~+~1;/n~-=~i;/ output
mawk-index mawk bi_funct.c s/?~p~-~string(sp)->str~+~1/?~p~-~string(sp)->str/ output
mawk-split mawk split.c /^space_split/,/^}/s/return~cnt;/return~idx;/ output
lua-sub lua5.4 src/lstrlib.c 96s/len~+~(size_t)pos~+~1/len~+~(size_t)pos/
lua-sort lua5.4 src/ltablib.c s/if~(up~-~lo~==~1)/if~(up~-~lo~<=~2)/
gzip-name gzip gzip.c s/if~((flags~&~ORIG_NAME)~!=~0)/if~((flags~\&~COMMENT)~!=~0)/
bzip2-limit bzip2 huffman.c s/limit\[i\]~=~vec-1;/limit[i]~=~vec;/
ed-range ed main_loop.c s/else~first_addr~=~second_addr;/else~first_addr~=~1;/ output
diff-range diffutils src/util.c s/if~(trans_b~>~trans_a)/if~(trans_b~>=~trans_a)/ output
diff-tab diffutils src/util.c s/size_t~spaces~=~tab_size~-~column~%~tab_size;/size_t~spaces~=~tab_size;/ output
grep-before grep src/grep.c s/for~(i~=~0;~i~<~out_before;/for~(i~=~1;~i~<~out_before;/ output
grep-after grep src/grep.c s/MAX~(0,~out_after);/MAX~(0,~out_before);/ output
sed-count sed sed/execute.c s/\&\&~++count~>=~sub->numb)/\&\&~++count~>~sub->numb)/ output
sed-range sed sed/execute.c 892s/<=/</ output
gawk-substr gawk builtin.c s/indx~=~d_index~-~1;/indx~=~d_index;/ output
gawk-index gawk builtin.c 511s/ret~=~pos~-~s1->wstptr~+~1;/ret~=~pos~-~s1->wstptr;/ output
gzip-ratio gzip gzip.c 1806s/(bytes_in-header_bytes)/bytes_in/ output
gzip-distance gzip inflate.c s/257,~385,~513,/257,~385,~512,/ output
flex-rules flex src/dfa.c s/if~(j~>~num_associated_rules)/if~(j~>=~num_associated_rules)/ output
flex-range flex src/parse.c 2327s/<=/</ output
grep-link grep src/kwset.c s/while~(cur~\&\&~tree->label/while~(tree->label/
find-tail findutils find/tree.c s/if~(NULL~==~new_list.tail)/if~(NULL~!=~new_list.tail)/
find-head findutils find/tree.c s/if~(NULL~==~list->head)/if~(NULL~!=~list->head)/
bc-scale bc lib/number.c 845s/MAX(n1->n_scale,n2->n_scale)/MIN(n1->n_scale,n2->n_scale)/ output
bc-power bc lib/number.c 1238s/MIN/MAX/ output
sed-hold sed sed/execute.c 1424s/hold,~&line/line,~\&hold/ output
sed-first sed sed/execute.c 1495s/p~-~line.active~:/p~-~line.active~+~1~:/ output
grep-offset grep src/grep.c s/add_count~(totalcc,~beg~-~bufbeg)/add_count~(totalcc,~lim~-~bufbeg)/ output
grep-most grep src/grep.c s/p~<~lim~\&\&~n~<~outleft/p~<~lim~\&\&~n~<=~outleft/ output
mawk-rlength mawk bi_funct.c s/RLENGTH->dval~=~(double)~length;/RLENGTH->dval~=~(double)~(length~-~1);/ output
mawk-gsub mawk bi_funct.c s/(where~-~input->str)~+~howmuch)~-~1;/(where~-~input->str)~+~howmuch);/ output
gzip-repeat gzip inflate.c 824s/3~+/2~+/ output
gzip-zeros gzip inflate.c 835s/11~+/10~+/ output
diff-lines diffutils src/context.c s/trans_b~-~trans_a~+~1);/trans_b~-~trans_a);/ output
diff-half diffutils src/side.c s/size_t~spaces~=~tabsize~-~in_position~%~tabsize;/size_t~spaces~=~tabsize~-~out_position~%~tabsize~+~1;/ output
flex-jam flex src/dfa.c s/out_char_set\[i\]~=~!out_char_set\[i\];/out_char_set[i]~=~!!out_char_set[i];/ output
flex-class flex src/dfa.c s/ec~=~ABS~(ecgroup\[i\]);/ec~=~ABS~(ecgroup[csize~-~1]);/ output'

words_lua_typename() {
	cat >"$dir/input" <<-'L'
		local t = {}
		for i = 1, 800 do t[#t + 1] = tostring(i * 7 % 13) end
		table.sort(t)
		local n = select(2, table.concat(t, ","):gsub("1", "x"))
		print(pcall(function() return {} + n end))
	L
	words=("$dir/input")
}

words_lua_metatable() {
	cat >"$dir/input" <<-'L'
		local all = {}
		for i = 1, 500 do all[i] = setmetatable({ i }, { __len = function() return i end }) end
		local sum = 0
		for _, t in ipairs(all) do sum = sum + #t end
		print(sum, getmetatable({}), getmetatable("").__index == string)
	L
	words=("$dir/input")
}

words_lua_ccall() {
	cat >"$dir/input" <<-'L'
		local t = {}
		for i = 1, 300 do t["k" .. i] = i end
		print(pcall(next, t, "nokey"))
	L
	words=("$dir/input")
}

words_lua_move() {
	cat >"$dir/input" <<-'L'
		local t = {}
		for i = 1, 100 do t[i] = i end
		table.move(t, 1, 3, 3)
		assert(t[5] == 3, "move")
	L
	words=("$dir/input")
}

words_lua_rounding() {
	cat >"$dir/input" <<-'L'
		local names = {}
		for i = 1, 300 do names[i] = "day " .. i end
		assert((-4 + 3) % 7 == 6, "the week has seven days")
	L
	words=("$dir/input")
}

words_gzip_crc() {
	seq 1 2000 | gzip -9n >"$dir/numbers.gz"
	: >"$dir/input"
	words=(-dc "$dir/numbers.gz")
}

words_bc_divide() {
	echo 'scale=5; 355/113' >"$dir/input"
	words=(-q)
}

words_bc_length() {
	echo '1003-7' >"$dir/input"
	words=(-q)
}

words_mawk_substr() {
	echo abcdef >"$dir/input"
	words=('{ print substr($0, 0, 3) }')
}

words_mawk_index() {
	echo abcdef >"$dir/input"
	words=('{ print index($0, "cd"), length($0) }')
}

words_mawk_split() {
	seq -s ' ' 1 2500 >"$dir/input"
	words=('{ print NF, $3 }')
}

words_lua_sub() {
	cat >"$dir/input" <<-'L'
		local n, s = 0, "the quick brown fox"
		for i = 1, 400 do n = n + #tostring(i) end
		for w in s:gmatch("%a+") do s = s .. w:upper() end
		assert(("hello"):sub(1, -2) == "hell", "sub")
	L
	words=("$dir/input")
}

words_lua_sort() {
	cat >"$dir/input" <<-'L'
		local t = {}
		for i = 1, 60 do t[i] = i * 37 % 61 end
		table.sort(t)
		for i = 2, #t do assert(t[i - 1] <= t[i], "not sorted") end
	L
	words=("$dir/input")
}

words_gzip_name() {
	seq 1 500 >"$dir/numbers" && touch -d 2020-01-01 "$dir/numbers"
	gzip -9c "$dir/numbers" >"$dir/numbers.gz"
	: >"$dir/input"
	words=(-dc "$dir/numbers.gz")
}

words_bzip2_limit() {
	seq 1 60 | bzip2 -9 >"$dir/numbers.bz2"
	: >"$dir/input"
	words=(-dc "$dir/numbers.bz2")
}

words_ed_range() {
	seq 1 60 >"$dir/text"
	printf '3,10s/[0-9]/&x/\n5,,p\n2,4,p\nQ\n' >"$dir/input"
	words=(-s "$dir/text")
}

words_diff_range() {
	seq 1 400 >"$dir/numbers" && sed 's/^250$/two hundred and fifty/' "$dir/numbers" >"$dir/others"
	: >"$dir/input"
	words=("$dir/numbers" "$dir/others")
}

words_diff_tab() {
	seq 1 400 >"$dir/numbers" && sed 's/^250$/250\tand\tmore/' "$dir/numbers" >"$dir/others"
	: >"$dir/input"
	words=(-t "$dir/numbers" "$dir/others")
}

words_grep_before() {
	seq 1 300 >"$dir/input"
	words=(-B2 123)
}

words_grep_link() {
	printf 'she sells sea shells\nhis hers him\nushers\n' >"$dir/input"
	words=(-c -F -e he -e she -e his -e hers "$dir/input")
}

words_find_tail() {
	mkdir -p "$dir/tree/e" && : >"$dir/tree/a.c" && : >"$dir/tree/e/c.c" && : >"$dir/input"
	words=("$dir/tree" -name '*.c' -o -type d -newer "$dir/input")
}

words_find_head() {
	words_find_tail
}

words_grep_after() {
	seq 1 300 >"$dir/input"
	words=(-A3 -B1 123)
}

words_sed_count() {
	seq -s ' a ' 1 60 >"$dir/input"
	words=('s/a/b/7')
}

words_sed_range() {
	seq 1 60 >"$dir/input"
	words=(-n '20,23p;$p')
}

words_gawk_substr() {
	seq 101 160 >"$dir/input"
	words=('{ s = s substr($0, 2, 2) } END { print s }')
}

words_gawk_index() {
	seq 101 160 >"$dir/input"
	words=('{ n += index($0, "5") } END { print n }')
}

words_gzip_ratio() {
	seq 1 2000 | gzip -9n >"$dir/numbers.gz"
	: >"$dir/input"
	words=(-l "$dir/numbers.gz")
}

words_gzip_distance() {
	seq 1 2000 | gzip -9n >"$dir/numbers.gz"
	: >"$dir/input"
	words=(-dc "$dir/numbers.gz")
}

# The report on states that are not accepting, and nothing that m4 would have to make C of.
words_flex_rules() {
	printf '%%option noyywrap\n%%%%\n[a-z]+ return 1;\n"<="|"<" return 2;\n' >"$dir/scanner.l"
	printf '[0-9]+"."[0-9]+ return 3;\n[ \\t\\n]+ ;\n. return 5;\n%%%%\n' >>"$dir/scanner.l"
	: >"$dir/input"
	words=(--preproc=0 -b "--backup-file=$dir/backup" -t "$dir/scanner.l")
	options=(--output-file "$dir/backup")
}

words_flex_range() {
	words_flex_rules
}

# Faults that show only in the output, and were made after the changes that the others led to.
words_bc_scale() {
	echo '1.25*1.5' >"$dir/input"
	words=(-q)
}

words_bc_power() {
	echo 'scale=3; 1.5^5' >"$dir/input"
	words=(-q)
}

words_sed_hold() {
	seq 1 40 >"$dir/input"
	words=(-n 'G;h;$p')
}

words_sed_first() {
	seq 1 40 >"$dir/input"
	words=('$!N;P;D')
}

words_grep_offset() {
	seq 1 300 >"$dir/input"
	words=(-b 123)
}

words_grep_most() {
	seq 1 300 >"$dir/input"
	words=(-v -m3 5)
}

words_mawk_rlength() {
	seq 101 160 >"$dir/input"
	words=('{ if (match($0, "4+")) n += RLENGTH } END { print n }')
}

words_mawk_gsub() {
	seq -s ' ' 101 160 >"$dir/input"
	words=('{ gsub("1", "one"); print }')
}

words_gzip_repeat() {
	words_gzip_distance
}

words_gzip_zeros() {
	words_gzip_distance
}

words_diff_lines() {
	words_diff_range
	words=(-u "${words[@]}")
}

words_diff_half() {
	seq 1 40 >"$dir/numbers" && sed 's/^25$/250\tand\tmore/' "$dir/numbers" >"$dir/others"
	: >"$dir/input"
	words=(-y -t "$dir/numbers" "$dir/others")
}

words_flex_jam() {
	words_flex_rules
}

words_flex_class() {
	words_flex_rules
}

# Where a parser was made of another file, the compiler knows the line by that: sets $line and $source.
follow_line_directive() { # FILE
	set -- "$1" "$(awk -v line="$line" 'NR >= line { exit } /^#line [0-9]+ "/ { at = NR; to = $2; file = $3 }
		END { if (at) { gsub(/"/, "", file); print to + line - at - 1 " " file } }' "$1")"
	[ "$2" ] && line=${2%% *} source=${2#* }
}

# build_fault NAME PACKAGE FILE CHANGE LEVEL: the program, $line, and $source, the file of the line.
build_fault() {
	program=$dir/$1$5
	rm -rf "$real/$1" && cp -a "$real/$2" "$real/$1" || return
	cp "$real/$1/$3" "$dir/before" && sed -i "$(printf %s "$4" | tr "~" " ")" "$real/$1/$3" || return
	line=$(diff "$dir/before" "$real/$1/$3" | sed -n '1s/^\([0-9]*\).*/\1/p')
	[ "$line" ] || return
	source=$3
	follow_line_directive "$real/$1/$3"
	[ -x "$program" ] || (cd "$real/$1" && "build_$(echo "$2" | tr . _)" "$5" "$program") \
		>"$program.log" 2>&1 </dev/null
}

# cpu_s COMMAND...: its processor time with its children's, in seconds.
cpu_s() {
	("$@" >"$dir/out" 2>"$dir/err" </dev/null; times >"$dir/times")
	awk 'NR == 2 { split($0, t, /[ms ]+/); print t[1] * 60 + t[2] + t[3] * 60 + t[4] }' "$dir/times"
}

row() { # NAME LEVEL FILE PACKAGE JUDGE
	judge=()
	if [ "$5" ]; then
		right=$dir/$4-right$2
		[ -x "$right" ] || (cd "$real/$4" && "build_$(echo "$4" | tr . _)" "$2" "$right") >"$right.log" 2>&1 </dev/null
		judge=(--golden "$right")
	fi
	if [ "${FAULTS_FIRST:-}" ]; then
		printf '%s\t%s\n' "$1$2" "$(python3 tests/bench/first.py "$why" --timeout 60 "${judge[@]}" "${options[@]}" \
			--stdin "$dir/input" -- "$program" "${words[@]}" 2>"$dir/err" | tail -n 1)"
		return
	fi
	took=$(cpu_s "$why" explain --format=json --timeout 60 "${judge[@]}" "${options[@]}" --stdin "$dir/input" -- "$program" "${words[@]}")
	[ -s "$dir/out" ] || echo null >"$dir/out"
	jq -r --arg name "$1$2" --arg file "$(basename "$3")" --argjson line "$line" --arg took "$took" '
		def here: .line == $line and (.file | split("/") | last) == $file;
		def place(all): ([all[] | here] | index(true)) as $i | if $i then $i + 1 else "-" end;
		[$name, .stats.instructions, place(.opening // []), place(.lines),
		 ([.suspects[] | select(.replay == "passes")] | length), $took,
		 (.stats.memory_kb / 1024 | floor)] | @tsv' "$dir/out" 2>"$dir/jq" ||
		printf '%s\t-\t-\t-\t-\t%s\t-\t%s\n' "$1$2" "$took" "$(head -n 1 "$dir/err")"
}

wanted=" $* "
# shellcheck disable=SC2046
fetch $(echo "$faults" | cut -d' ' -f2 | sort -u) || { echo "cannot fetch sources from Debian" >&2; exit 77; }
if [ "${FAULTS_FIRST:-}" ]; then
	printf 'fault\topening s\tsuspect s\twhole s\n'
else
	printf 'fault\tinsns\topening\trank\tproven\tcpu s\tMB\n'
fi

echo "$faults" | while read -r name package file change judge; do
	case $wanted in "  " | *" $name "*) ;; *) continue ;; esac
	for level in ${FAULTS_LEVELS:--O0}; do
		options=()
		"words_${name//-/_}"
		if build_fault "$name" "$package" "$file" "$change" "$level"; then
			row "$name" "$level" "$source" "$package" "$judge"
		else
			printf '%s\tdoes not build: %s\n' "$name$level" "$program.log"
		fi
	done
done
