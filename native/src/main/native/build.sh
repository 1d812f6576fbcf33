#!/bin/sh
# Compiles the library to FOLDER/linux-<machine>/libpenstock.so, from the sources beside this file and those generated.
# usage: build.sh FOLDER GENERATED
# Where there is no C compiler, or no Linux, it says so and leaves the library out. The bytes follow from the sources, the
# compiler and its libraries alone.
set -eu

sources=$(cd "$(dirname "$0")" && pwd)
generated=$(cd "$2" && pwd)
compiler=${CC:-cc}

if [ "$(uname -s)" != Linux ]; then
    echo "native library: left out: this is $(uname -s), and the library is for Linux"
    exit 0
fi
if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "native library: left out: no C compiler found: $compiler (install gcc, or set CC)"
    exit 0
fi

out="$1/linux-$(uname -m)"
mkdir -p "$out"
"$compiler" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -fPIC -fvisibility=hidden -shared -s \
    "-ffile-prefix-map=$sources=." "-ffile-prefix-map=$generated=." \
    -Wl,--build-id=none -Wl,-z,defs -Wl,-z,noexecstack -Wl,-z,relro -Wl,-z,now \
    -pthread "-I$sources" "-I$generated" -o "$out/libpenstock.so" "$sources"/*.c "$generated"/*.c -ldl
