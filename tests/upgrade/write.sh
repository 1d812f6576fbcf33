#!/usr/bin/env bash
# Has a release write a little of every file that outlasts a program, and what it reads in them itself.
#
#   tests/upgrade/write.sh PENSTOCK ZIP    PENSTOCK is bin/penstock of a release, ZIP the new file, named after the release
#
# UpgradeTest reads all files in tests/system/src/test/resources/io/penstock/system/upgrade: for ever. When a release is made, its file
# is added there, and no file there is ever changed.
set -eu -o pipefail

program=$(realpath "$1")
zip=$(realpath "$2")
[ ! -e "$zip" ] || { echo "write.sh: there: $zip (a file of a release is never changed)" >&2 && exit 1; }
work=$(mktemp -d)
broker=''
trap '[ -z "$broker" ] || kill "$broker"; rm -rf "$work"' EXIT
files=$work/files
mkdir -p "$files/expected"

# What programs of this user have is left alone.
export HOME=$work/home XDG_CONFIG_HOME=$work/config PENSTOCK_ARCHIVE=off PENSTOCK_BROKER=''
mkdir -p "$HOME"

cat >"$files/penstock.yaml" <<'END'
shardCount: 2
journal:
  fileLength: 64KiB
  snapshotIntervalMs: 500
sessions:
  messageLengthMax: 16KiB
topics:
  - name: orders
    format: json
    key: id
    shard: 0
  - name: given
    format: binary
    key: '*'
    shard: 0
  - name: ticks
    format: json
    shard: 1
END

# Waits until the command after it succeeds.
await() {
    local i
    for i in $(seq 300); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    echo "write.sh: never: $*" >&2
    return 1
}

run() {
    "$program" "$@" --broker "$endpoint"
}

snapshots() {
    compgen -G "$files/journal/shard-$1/state-*.snap" >/dev/null
}

"$program" serve "$files/penstock.yaml" --set "journal.directory=$files/journal" --listen tcp://127.0.0.1:0 >"$work/out" 2>"$work/err" &
broker=$!
await grep -q '^listening on ' "$work/out"
endpoint=$(sed -n 's/^listening on //p' "$work/out")

# More than a file of each shard; records that change, are merged, deleted, and have headers; keys that publishers give.
for i in $(seq 600); do
    printf '{"id":%d,"price":%d.5,"text":"%0100d"}\n' $((i % 20)) "$i" "$i"
done | run publish orders >/dev/null
for i in $(seq 500); do
    printf '{"n":%d,"text":"%0100d"}\n' "$i" "$i"
done | run publish ticks --name desk --store "$files/desk" >/dev/null
printf '{"id":3,"price":-1.25}\n' | run publish orders --delta >/dev/null
run delete orders --filter 'id = 4' >/dev/null
run publish given -m 'a text' --key 'k 1' -H 'source=tests' >/dev/null
run publish gone -m '{}' --format json >/dev/null
run topic delete gone >/dev/null
run subscribe ticks --name reader --bookmark-store "$files/reader" --from beginning -n 200 >/dev/null
await snapshots 0
await snapshots 1
# After the snapshots.
printf '{"id":5,"price":1000000000000.125,"text":"\\u00e4"}\n' | run publish orders >/dev/null
mkfifo "$work/ticks"
run publish ticks "$work/ticks" --name desk --store "$files/desk" --timeout 2 >/dev/null 2>&1 &
publisher=$!
exec 3>"$work/ticks"
printf '{"n":501}\n' >&3
run subscribe ticks --from beginning -n 501 >/dev/null

run sow orders >"$files/expected/orders.state"
run sow given >"$files/expected/given.state"
run subscribe orders --from beginning --to now >"$files/expected/orders.log"
run subscribe ticks --from beginning --to now >"$files/expected/ticks.log"
if "$program" help backup >/dev/null 2>&1; then
    "$program" backup "$files/journal" --to "$files/backups" >/dev/null
fi

# As a broker leaves it that was killed; and a message that waits for the next one.
kill -KILL "$broker"
wait "$broker" 2>/dev/null || true
broker=''
printf '{"n":502}\n' >&3
exec 3>&-
wait "$publisher" || true

# Locks say nothing to others.
find "$files" -name '*.lock' -delete
java_home=${JAVA_HOME:-$(dirname "$(dirname "$(realpath "$(command -v java)")")")}
"$java_home/bin/jar" --create --no-manifest --file "$zip" -C "$files" .
echo "write.sh: $(stat -c %s "$zip") bytes in $zip"
