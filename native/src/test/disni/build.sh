#!/bin/sh
# Compiles the native methods of DiSNI and their tests in C to FOLDER/disni-test, with the address and undefined behaviour
# sanitizers.
# usage: build.sh FOLDER
# Where the compiler, its sanitizers, the headers of rdma-core or Linux are missing it says so and leaves the program out.
set -eu

tests=$(cd "$(dirname "$0")" && pwd)
sources=$tests/../../main/disni
compiler=${CC:-cc}
flags="-std=c11 -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"

rm -f "$1/disni-test"
mkdir -p "$1"
printf '#include <infiniband/verbs.h>\n#include <rdma/rdma_cma.h>\nint main(void) { return 0; }\n' >"$1/probe-disni.c"
# Word by word on purpose.
# shellcheck disable=SC2086
if [ "$(uname -s)" != Linux ] || ! "$compiler" $flags -o "$1/probe-disni" "$1/probe-disni.c" 2>/dev/null \
    || ! "$1/probe-disni"; then
    echo "native methods of DiSNI: tests in C left out: they need Linux, $compiler with sanitizers that work, and the headers of rdma-core"
    exit 0
fi
# shellcheck disable=SC2086
"$compiler" $flags -Wall -Wextra -Wpedantic -Werror "-I$sources" -o "$1/disni-test" "$sources"/*.c "$tests"/*.c -ldl
