package io.penstock.standalone.sink;

import io.penstock.broker.sink.IndexEntry;
import io.penstock.broker.sink.IndexReader;
import io.penstock.broker.sink.SinkSettings;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The directory of sinks, and which of them, as they are given on the command line. */
final class SinkFiles {
    @Parameters(index = "0", paramLabel = "DIR", description = "The sinks.directory of a broker.")
    private String directory;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "File of a sink in it (default: all that have an index).")
    private @Nullable String file;

    /** The content of an index beside its blocks. */
    record Index(long length, boolean isDamaged) {}

    Storage storage() {
        try {
            return DiskStorage.openPresent(directory);
        } catch (final IOException e) {
            throw CommandFailure.badInput(directory + ": no such directory (give the sinks.directory of a broker)");
        }
    }

    boolean isOne() {
        return file != null;
    }

    /** The files of the sinks that are meant, in their order. */
    List<String> names() {
        try {
            final List<String> names = storage().list().stream()
                    .filter(name -> name.endsWith(SinkSettings.INDEX_SUFFIX))
                    .map(name -> name.substring(0, name.length() - SinkSettings.INDEX_SUFFIX.length()))
                    .filter(name -> file == null || file.equals(name))
                    .toList();
            if (names.isEmpty()) {
                throw CommandFailure.badInput(directory + ": "
                        + (file == null ? "no sink in it" : "no sink has the file " + file)
                        + " (give a directory with files and their " + SinkSettings.INDEX_SUFFIX + ")");
            }
            return names;
        } catch (final IOException e) {
            throw unreadable(e);
        }
    }

    /** Reads an index as far as it is whole. */
    static Index read(final Storage storage, final String name, final Consumer<IndexEntry> consumer)
            throws IOException {
        final String index = name + SinkSettings.INDEX_SUFFIX;
        try (StoredFile from = storage.open(index, false);
                IndexReader reader = new IndexReader(from, storage.path(index))) {
            IndexEntry entry;
            while ((entry = reader.next()) != null) {
                if (entry.isBlock()) {
                    consumer.accept(entry);
                }
            }
            final long length = reader.position();
            return new Index(length, reader.isCutOff() || reader.isDamaged());
        }
    }

    static CommandFailure unreadable(final IOException e) {
        return CommandFailure.failed(e.getMessage() == null ? e.toString() : e.getMessage());
    }
}
