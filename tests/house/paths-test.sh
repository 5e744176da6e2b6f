#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A path that a file of the project names is there: one from the top folder in any file, and in a
# header the file that a comment begins with (`/* cell.c: ...'), from the header's own folder.
# Capital letters stand for any name: requirement-KIND.c.
files=$(find .github Makefile README.md gdbext mi samples solver tests tui -type f \
	\( -name '*.[chS]' -o -name '*.def' -o -name '*.md' -o -name '*.sh' -o -name '*.py' -o -name '*.mk' \
	-o -name '*.conf' -o -name '*.1' -o -name Makefile -o -name layers -o -name coverage-floors \) \
	! -name layers-test.sh ! -path 'tests/data/*' | sort)
found=$(perl -ne '
	while (m~(?<![\w/.<*{\$%-])((?:solver|gdbext|tui|mi|tests|samples)/[\w./-]*?\w\.(?:c|h|S|def|sh|md|py|conf|json|awk|mk|gdb))\b(?![/\w*])~g) {
		my $path = $1;
		$n++;
		print "$ARGV:$.: $path\n" unless -e $path || $path =~ m{(?:^|[/-])(?!README)[A-Z]+[-./]};
	}
	if ($ARGV =~ m{^(?!tests)(.*)/[^/]*\.h$} && m{^/\* ([\w/-]+\.[cS])\b}) {
		$n++;
		print "$ARGV:$.: $1\n" unless -e ($ARGV =~ s{[^/]*\z}{}r) . $1;
	}
	close ARGV if eof;
	END { print "only $n paths were found\n" if $n < 3000 }
' $files)
[ -z "$found" ] && exit 0
echo "these files are not there:"
echo "$found"
exit 1
