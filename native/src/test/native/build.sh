#!/bin/sh
# Compiles the library and its tests in C to FOLDER/library-test, with the address and undefined behaviour sanitizers.
# usage: build.sh FOLDER GENERATED
# Where the compiler, its sanitizers or Linux are missing it says so and leaves the program out.
set -eu

tests=$(cd "$(dirname "$0")" && pwd)
sources=$tests/../../main/native
compiler=${CC:-cc}
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"

rm -f "$1/library-test"
if [ "$(uname -s)" != Linux ] || ! command -v "$compiler" >/dev/null 2>&1; then
    echo "native library: tests in C left out: no C compiler on Linux found: $compiler (install gcc, or set CC)"
    exit 0
fi
mkdir -p "$1"
echo 'int main(void) { return 0; }' >"$1/probe.c"
# Word by word on purpose.
# shellcheck disable=SC2086
if ! "$compiler" $sanitizers -o "$1/probe" "$1/probe.c" 2>/dev/null || ! "$1/probe"; then
    echo "native library: tests in C left out: $compiler has no sanitizers that work here (install its libraries for address and undefined)"
    exit 0
fi
# shellcheck disable=SC2086
"$compiler" -std=c11 -O1 -g -fno-omit-frame-pointer -Wall -Wextra -Wpedantic -Werror -pthread $sanitizers \
    "-I$sources" "-I$2" -o "$1/library-test" "$sources"/*.c "$2"/*.c "$tests"/*.c -ldl

# What the library is on a machine without the headers for RDMA compiles as well.
"$compiler" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -fPIC -shared -DPENSTOCK_WITHOUT_RDMA \
    -Wl,-z,defs -pthread "-I$sources" "-I$2" -o "$1/without-rdma.so" "$sources"/*.c "$2"/*.c -ldl

# What a C program gets out of an RDMA device, for tests that compare the transport with it.
"$compiler" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -pthread \
    "-I$sources" "-I$2" -o "$1/rdma-peer" "$sources"/*.c "$2"/*.c "$tests"/../rdma/*.c -ldl
