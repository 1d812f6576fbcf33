#!/bin/sh
# Compiles the probes beside this file into FOLDER/<system>-<machine>/.
# usage: build.sh FOLDER
# Without a C compiler it says so and leaves them out.
set -eu

sources=$(dirname "$0")
out="$1/$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)"
compiler=${CC:-cc}

if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "probes: left out: no C compiler found: $compiler (install gcc, or set CC)"
    exit 0
fi

mkdir -p "$out"
for source in "$sources"/*.c; do
    program="$out/$(basename "$source" .c)"
    if [ ! "$program" -nt "$source" ] || [ ! "$program" -nt "$sources/plain.h" ] || [ ! "$program" -nt "$0" ]; then
        # Static where the C library allows it, so that the program runs on machines other than this one.
        "$compiler" -std=c11 -O2 -Wall -Wextra -Werror -pthread -static -s -o "$program" "$source" 2>/dev/null ||
            "$compiler" -std=c11 -O2 -Wall -Wextra -Werror -pthread -o "$program" "$source"
    fi
done
