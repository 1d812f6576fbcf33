package io.penstock.standalone.message;

import io.penstock.client.SowRequest;
import io.penstock.standalone.CommandFailure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the answer of a query: its columns, its order, and its length. */
final class AnswerOptions {
    private static final int ALL = -1;

    @Option(
            names = "--order-by",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "For example 'price DESC, symbol NULLS FIRST'.")
    private String orderBy;

    @Option(names = "--top", paramLabel = "N", description = "At most so many records (default: all).")
    private @Nullable Integer top;

    @Option(names = "--skip", paramLabel = "N", defaultValue = "0", description = "Leave out so many first.")
    private int skip;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "0",
            description = "Most records in a frame (default: the broker's choice).")
    private int batchSize;

    @Option(
            names = "--select",
            paramLabel = "ITEMS",
            defaultValue = "",
            description = "Fields, expressions and aggregates to send (default: whole records).")
    private String select;

    @Option(
            names = "--group-by",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "Groups of the aggregates in --select.")
    private String groupBy;

    @Option(
            names = "--having",
            paramLabel = "CONDITION",
            defaultValue = "",
            description = "Only groups whose row satisfies this.")
    private String having;

    /** Throws when one cannot be. */
    void check() {
        if ((top != null && top < 0) || skip < 0 || batchSize < 0) {
            final String wrong = top != null && top < 0
                    ? "--top: too small: " + top
                    : skip < 0 ? "--skip: too small: " + skip : "--batch-size: too small: " + batchSize;
            throw CommandFailure.badInput(wrong + " (use 0 or more)");
        }
    }

    SowRequest apply(final SowRequest request) {
        return request.orderBy(orderBy)
                .select(select)
                .groupBy(groupBy)
                .having(having)
                .top(top == null ? ALL : top)
                .skip(skip)
                .batchSize(batchSize);
    }
}
