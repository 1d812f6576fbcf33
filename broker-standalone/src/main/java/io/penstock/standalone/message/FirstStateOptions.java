package io.penstock.standalone.message;

import io.penstock.client.SubscribeRequest;
import io.penstock.standalone.CommandFailure;
import picocli.CommandLine.Option;

/** Whether a subscription begins with the state, and with which part of it. */
final class FirstStateOptions {
    @Option(names = "--sow", description = "First the state as it is, then every change from there.")
    private boolean isSow;

    @Option(
            names = "--order-by",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "With --sow: order of the state, for example 'price DESC, symbol'.")
    private String orderBy;

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "-1",
            description = "With --sow: at most so many records of the state.")
    private int top;

    @Option(
            names = "--skip",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --sow: leave out so many records of the state first.")
    private int skip;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --sow: most records of the state in a frame (default: the broker's choice).")
    private int batchSize;

    @Option(names = "--durable", description = "With --sow: print the state once all of it is on stable storage.")
    private boolean isDurable;

    /** Whether the state is asked for. */
    boolean isGiven() {
        return isSow;
    }

    /** Throws when they do not go together. */
    void check() {
        if (top < -1 || skip < 0 || batchSize < 0) {
            throw CommandFailure.badInput("--top, --skip, --batch-size: too small: "
                    + Math.min(top, Math.min(skip, batchSize)) + " (use 0 or more)");
        }
        if (!isSow && (isDurable || !orderBy.isEmpty() || top != -1 || skip != 0 || batchSize != 0)) {
            throw CommandFailure.badInput(
                    "--order-by, --top, --skip, --batch-size, --durable: are about the state (add --sow)");
        }
    }

    SubscribeRequest apply(final SubscribeRequest request) {
        final SubscribeRequest asked =
                isSow ? request.sow().orderBy(orderBy).top(top).skip(skip).batchSize(batchSize) : request;
        return isDurable ? asked.durable() : asked;
    }
}
