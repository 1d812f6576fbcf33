package io.penstock.standalone.log;

import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.ShardLog;
import io.penstock.file.FileErrors;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Parameters;

/** The directory of a log, as it is given on the command line. */
public final class LogDirectory {
    @Parameters(
            index = "0",
            paramLabel = "DIR",
            description = "The journal.directory of a broker, running or not, or one shard's directory in it.")
    private String directory;

    /** Made by the command line. */
    public LogDirectory() {}

    /**
     * Opens it.
     *
     * @return the logs in it.
     * @throws CommandFailure when there is none.
     */
    List<ShardLog> shards() {
        return shards(directory);
    }

    /**
     * Opens a directory.
     *
     * @param directory of a log.
     * @return the logs in it.
     * @throws CommandFailure when there is none.
     */
    public static List<ShardLog> shards(final String directory) {
        return catalog(directory).shards();
    }

    /** Opens it, to read it or to take it. */
    JournalCatalog catalog() {
        return catalog(directory);
    }

    private static JournalCatalog catalog(final String directory) {
        try {
            return JournalCatalog.open(directory);
        } catch (final NoSuchFileException e) {
            throw CommandFailure.badInput(
                    directory + ": " + e.getReason() + " (give the journal.directory of a broker)");
        } catch (final IOException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        }
    }

    /**
     * A log that cannot be read, or is damaged.
     *
     * @param e what is wrong.
     * @return the same for the user.
     */
    public static CommandFailure unreadable(final IOException e) {
        return CommandFailure.failed(FileErrors.textOf(e));
    }

    /**
     * Refuses topics that a log does not have.
     *
     * @param wanted  that were asked for.
     * @param present that the log has.
     * @throws CommandFailure when one is missing.
     */
    public static void checkTopics(final Set<String> wanted, final Set<String> present) {
        final List<String> missing =
                wanted.stream().filter(name -> !present.contains(name)).toList();
        if (!missing.isEmpty()) {
            throw CommandFailure.badInput("--topic: no such topic in the log: " + String.join(", ", missing)
                    + " (there are: " + (present.isEmpty() ? "none" : String.join(", ", present)) + ")");
        }
    }
}
