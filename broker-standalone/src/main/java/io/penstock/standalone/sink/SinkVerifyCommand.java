package io.penstock.standalone.sink;

import io.penstock.broker.sink.IndexEntry;
import io.penstock.broker.sink.IndexReader;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads sinks. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Reads the index and every block of sinks and compares each with its checksum.",
            "What is damaged is named by block and byte. Bytes behind the last block are no damage: they are what"
                    + " was being written."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all blocks are whole", "1:some are damaged, or cannot be read", "2:there is no sink"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock sink verify /data        # all sinks of a broker, running or not",
            "  penstock sink verify /copy events # one, in a copy"
        })
final class SinkVerifyCommand implements Callable<Integer> {
    private static final int PIECE_LENGTH = 1024 * 1024;

    private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_LENGTH);

    @Spec
    private CommandSpec spec;

    @Mixin
    private SinkFiles files;

    @Override
    public Integer call() {
        final Storage storage = files.storage();
        boolean isGood = true;
        try (ProgressLine progress = ProgressLine.onErr()) {
            for (final String name : files.names()) {
                isGood &= verify(storage, name, progress);
            }
        } catch (final UncheckedIOException e) {
            throw SinkFiles.unreadable(new IOException(e.getMessage(), e));
        } catch (final IOException e) {
            throw SinkFiles.unreadable(e);
        }
        return isGood ? Main.EXIT_OK : Main.EXIT_FAILED;
    }

    private boolean verify(final Storage storage, final String name, final ProgressLine progress) throws IOException {
        final PrintWriter out = spec.commandLine().getOut();
        final long[] counts = new long[3];
        try (StoredFile file = storage.open(name, false)) {
            final SinkFiles.Index index = SinkFiles.read(storage, name, entry -> {
                if (progress.isDue()) {
                    progress.draw(name + ": block " + entry.number());
                }
                counts[0]++;
                counts[1] = entry.end();
                if (!isWhole(file, entry)) {
                    progress.clear();
                    counts[2]++;
                    out.println(name + ": block " + entry.number() + " of " + entry.producer() + " is damaged: bytes "
                            + entry.offset() + " to " + entry.end());
                }
            });
            progress.clear();
            if (index.isDamaged()) {
                out.println(name + ": the index is damaged at byte " + index.length() + ", the record of block "
                        + (counts[0] + 1) + "; what is behind it is unknown");
            }
            final long behind = file.length() - counts[1];
            out.printf(
                    "%s: %,d blocks, %,d bytes%s%s%n",
                    name,
                    counts[0],
                    counts[1],
                    counts[2] == 0 ? "" : String.format(", %,d damaged", counts[2]),
                    behind > 0 ? String.format("; %,d bytes behind the last block", behind) : "");
            return counts[2] == 0 && !index.isDamaged();
        } finally {
            out.flush();
        }
    }

    private boolean isWhole(final StoredFile file, final IndexEntry entry) {
        try {
            return IndexReader.checksumOf(file, entry.offset(), entry.length(), piece)
                    == Integer.toUnsignedLong(entry.checksum());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
