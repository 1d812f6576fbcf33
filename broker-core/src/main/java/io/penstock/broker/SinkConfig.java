package io.penstock.broker;

import io.penstock.broker.sink.SinkSettings;
import java.nio.file.Path;

/**
 * One sink: a file that many producers deliver blocks to.
 *
 * @param name      that producers use.
 * @param file      name of the file in {@code sinks.directory}; empty for the name of the sink.
 * @param lengthMax of the file in bytes; 0 for no bound but the disk's.
 * @param sync      when a block counts as stored.
 */
public record SinkConfig(String name, String file, long lengthMax, Sync sync) {
    private static final int NAME_LENGTH_MAX = 255;

    /** When a block counts as stored. */
    public enum Sync {
        /** When it is on stable storage; blocks that are complete at the same time are synced together. */
        ALWAYS,

        /** When the operating system has it: a crash of the broker loses nothing, one of the machine may. */
        OS
    }

    public SinkConfig {
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "sinks.files.name: empty or too long: " + name + " (use 1 to " + NAME_LENGTH_MAX + " characters)");
        }
        final String path = file.isEmpty() ? name : file;
        if (path.equals(".")
                || path.equals("..")
                || path.endsWith(SinkSettings.INDEX_SUFFIX)
                || path.chars().anyMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c))
                || Path.of(path).getNameCount() != 1) {
            throw new IllegalArgumentException("sinks.files.file: not a plain name of a file: " + path
                    + " (name a file in sinks.directory, without folders, and not ending in "
                    + SinkSettings.INDEX_SUFFIX + ")");
        }
        Limits.check("sinks.files.lengthMax", lengthMax, 0, 1L << 60);
    }

    /**
     * A sink with the defaults for the rest.
     *
     * @param name of sink and file.
     * @return the sink, synced, without a bound.
     */
    public static SinkConfig named(final String name) {
        return new SinkConfig(name, "", 0, Sync.ALWAYS);
    }

    SinkSettings settings() {
        return new SinkSettings(name, file.isEmpty() ? name : file, lengthMax, sync == Sync.ALWAYS);
    }
}
