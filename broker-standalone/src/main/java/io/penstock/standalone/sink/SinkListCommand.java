package io.penstock.standalone.sink;

import io.penstock.broker.sink.IndexEntry;
import io.penstock.broker.storage.Storage;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists sinks, or the blocks of one. */
@Command(
        name = "ls",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the sinks of a directory: how long each is, of how many blocks and producers.",
            "With FILE, its blocks: number, place in the file, length, CRC32C, producer, the producer's id, and when it was"
                    + " stored."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock sink ls /data               # all sinks of a broker, running or not",
            "  penstock sink ls /data events --json # the blocks of one, for programs"
        })
final class SinkListCommand implements Callable<Integer> {
    private static final List<String> SINK_COLUMNS = List.of("file", "bytes", "blocks", "producers", "last");
    private static final List<String> BLOCK_COLUMNS =
            List.of("number", "offset", "length", "crc32c", "producer", "id", "time");

    @Spec
    private CommandSpec spec;

    @Mixin
    private SinkFiles files;

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        final Storage storage = files.storage();
        if (files.isOne() && !rows.isGiven()) {
            rows.checkLines();
            listBlocks(storage, entry -> out.println(line(entry)));
            return Main.EXIT_OK;
        }
        try (Rows table = rows.open(out, spec.commandLine().getErr(), files.isOne() ? BLOCK_COLUMNS : SINK_COLUMNS)) {
            if (files.isOne()) {
                listBlocks(storage, entry -> table.add(json(entry)));
            } else {
                listAll(table, storage);
            }
        } catch (final IOException e) {
            throw SinkFiles.unreadable(e);
        }
        return Main.EXIT_OK;
    }

    private void listBlocks(final Storage storage, final Consumer<IndexEntry> to) {
        try {
            for (final String name : files.names()) {
                SinkFiles.read(storage, name, to);
            }
        } catch (final IOException e) {
            throw SinkFiles.unreadable(e);
        } finally {
            spec.commandLine().getOut().flush();
        }
    }

    private void listAll(final Rows table, final Storage storage) throws IOException {
        for (final String name : files.names()) {
            final Set<String> producers = new HashSet<>();
            final long[] sums = new long[3];
            SinkFiles.read(storage, name, entry -> {
                producers.add(entry.name());
                sums[0]++;
                sums[1] = entry.end();
                sums[2] = entry.timeNs();
            });
            final String row = new Json()
                    .field("file", name)
                    .field("bytes", sums[1])
                    .field("blocks", sums[0])
                    .field("producers", producers.size())
                    .field("last", sums[0] == 0 ? "" : time(sums[2]))
                    .end();
            table.add(row);
        }
    }

    private static String json(final IndexEntry entry) {
        return new Json()
                .field("number", entry.number())
                .field("offset", entry.offset())
                .field("length", entry.length())
                .field("crc32c", String.format("%08x", entry.checksum()))
                .field("producer", entry.producer())
                .field("id", entry.blockId())
                .field("time", time(entry.timeNs()))
                .end();
    }

    private static String line(final IndexEntry entry) {
        return String.format(
                "%d  at %d, %d bytes, crc32c %08x, %s %d, %s",
                entry.number(),
                entry.offset(),
                entry.length(),
                entry.checksum(),
                entry.producer(),
                entry.blockId(),
                time(entry.timeNs()));
    }

    private static String time(final long ns) {
        return Instant.ofEpochMilli(TimeUnit.NANOSECONDS.toMillis(ns)).toString();
    }
}
