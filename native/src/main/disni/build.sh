#!/bin/sh
# Compiles the native methods of DiSNI to FOLDER/linux-<machine>/libdisni.so, from the sources beside this file.
# usage: build.sh FOLDER
# Where there is no C compiler, no header of rdma-core, or no Linux, it says so and leaves the library out. The libraries
# of rdma-core are needed when it is used, not when it is compiled.
set -eu

sources=$(cd "$(dirname "$0")" && pwd)
compiler=${CC:-cc}

if [ "$(uname -s)" != Linux ]; then
    echo "native methods of DiSNI: left out: this is $(uname -s), and they are for Linux"
    exit 0
fi
if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "native methods of DiSNI: left out: no C compiler found: $compiler (install gcc, or set CC)"
    exit 0
fi
if ! printf '#include <infiniband/verbs.h>\n#include <rdma/rdma_cma.h>\n' | "$compiler" -E - >/dev/null 2>&1; then
    echo "native methods of DiSNI: left out: no headers of rdma-core (install libibverbs-dev and librdmacm-dev)"
    exit 0
fi

out="$1/linux-$(uname -m)"
mkdir -p "$out"
"$compiler" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -fPIC -fvisibility=hidden -shared -s \
    "-ffile-prefix-map=$sources=." \
    -Wl,--build-id=none -Wl,-z,defs -Wl,-z,noexecstack -Wl,-z,relro -Wl,-z,now \
    -o "$out/libdisni.so" "$sources"/*.c -ldl
