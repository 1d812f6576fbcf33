#!/bin/sh
# Compiles the load by omniORB beside this file into FOLDER/orb_load.
# usage: build.sh FOLDER
# Without a C++ compiler or omniORB it says so and leaves it out.
set -eu

sources=$(dirname "$0")
idl=$sources/../../../../orb-bridge-client/src/main/resources/io/penstock/orb/Penstock.idl
out=$1
compiler=${CXX:-c++}

for program in "$compiler" omniidl; do
    if ! command -v "$program" >/dev/null 2>&1; then
        echo "orb_load: left out: not found: $program (install g++, omniidl and libomniorb4-dev)"
        exit 0
    fi
done

program=$out/orb_load
if [ ! "$program" -nt "$sources/orb_load.cc" ] || [ ! "$program" -nt "$idl" ] || [ ! "$program" -nt "$0" ]; then
    mkdir -p "$out"
    omniidl -bcxx "-C$out" "$idl"
    "$compiler" -std=c++17 -O2 -Wall -Wextra -Werror -isystem "$out" -o "$program" "$sources/orb_load.cc" \
        "$out/PenstockSK.cc" -lomniORB4 -lomnithread -lpthread
fi
