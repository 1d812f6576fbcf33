package io.penstock.standalone.message;

import io.penstock.client.SubscribeRequest;
import io.penstock.standalone.CommandFailure;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options for the changes of records that a subscription sends, and for their frequency. */
final class ChangeOptions {
    @Option(names = "--oof", description = "Report records that no longer match, were deleted or have expired.")
    private boolean isOof;

    @Option(names = "--delta", description = "Of records that were printed before, only the key and what changed.")
    private boolean isDelta;

    @Option(names = "--no-empties", description = "With --delta: leave out fields that became null or empty.")
    private boolean noEmpties;

    @Option(
            names = "--select",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "Only these fields, and those of the key.")
    private String select;

    @Option(
            names = "--conflation-ms",
            paramLabel = "N",
            defaultValue = "0",
            description = "Print each record's changes at most once in so many milliseconds.")
    private int conflationMs;

    @Option(
            names = "--conflation-key",
            paramLabel = "FIELDS",
            defaultValue = "",
            description =
                    "With --conflation-ms: of changed records with the same values of these fields, only the newest.")
    private String conflationKey;

    /** Whether something else is asked for than messages as they were published. */
    boolean isGiven() {
        return isOof || isDelta || !select.isEmpty() || conflationMs != 0;
    }

    /** Throws when they do not go together. */
    void check() {
        if (conflationMs < 0) {
            throw CommandFailure.badInput("--conflation-ms: too small: " + conflationMs + " (use 0 or more)");
        }
        if (noEmpties && !isDelta) {
            throw CommandFailure.badInput("--no-empties: is about deltas (add --delta)");
        }
        if (conflationMs == 0 && !conflationKey.isEmpty()) {
            throw CommandFailure.badInput("--conflation-key: needs an interval (add --conflation-ms)");
        }
    }

    SubscribeRequest apply(final SubscribeRequest request) {
        final SubscribeRequest withOof = isOof ? request.oof() : request;
        final SubscribeRequest withDelta = isDelta ? withOof.delta() : withOof;
        final SubscribeRequest asked = noEmpties ? withDelta.withoutEmpties() : withDelta;
        return asked.select(select).conflation(Duration.ofMillis(conflationMs), conflationKey);
    }
}
