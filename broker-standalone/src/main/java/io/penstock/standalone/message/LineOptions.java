package io.penstock.standalone.message;

import java.io.IOException;
import picocli.CommandLine.Option;

/** The options for columns before a message in its line. */
final class LineOptions {
    @Option(
            names = {"-l", "--long"},
            description = "Put time, topic and bookmark (shard:sequence) before each message, with tabs between.")
    private boolean isLong;

    @Option(
            names = "--kinds",
            description = "Put what it is before each message, with a tab: message, state, delta, oof-match,"
                    + " oof-deleted, oof-expired.")
    private boolean hasKinds;

    @Option(
            names = "--keys",
            description =
                    "Put the key before each message, with a tab: as its publisher gave it, or a message of its fields.")
    private boolean hasKeys;

    @Option(names = "--headers", description = "Put the headers before each message, with a tab.")
    private boolean hasHeaders;

    /** Begins to print; the caller closes it. */
    MessageLines open() throws IOException {
        return new MessageLines(isLong, hasKinds, hasKeys, hasHeaders);
    }
}
