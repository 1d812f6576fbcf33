package io.penstock.broker.query;

import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Puts what a worker has found into its pages, and leaves out what is not wanted. Owned by its worker. */
final class RecordOutput {
    private final QueryRun run;
    private final QueryPlan plan;
    private final ResultPages pages;
    private long skipped;
    private long sent;

    RecordOutput(final QueryRun run, final ResultPages pages) {
        this.run = run;
        plan = run.plan();
        this.pages = pages;
    }

    /** Whether there are as many records as are wanted, of a query that is not collected. */
    boolean isFull() {
        return !plan.isCollected() && plan.topN() >= 0 && sent >= plan.topN();
    }

    /** The next record of a query that is not collected. Returns false when there is no room now. */
    boolean take(final SourceReader reader, final UnsafeBuffer message, final long version) {
        if (skipped < plan.skipN()) {
            skipped++;
            return true;
        }
        if (isFull()) {
            return true;
        }
        if (!send(reader, message, version)) {
            return false;
        }
        sent++;
        return true;
    }

    /** A record that is wanted. Returns false when there is no room now. */
    boolean send(final SourceReader reader, final UnsafeBuffer message, final long version) {
        final Topic topic = reader.source.topic();
        if (plan.rowsOnly()) {
            return pages.addRow(topic, Version.row(version), version);
        }
        final int length = reader.project(message);
        if (length == Projection.TOO_LONG) {
            run.fail(QueryFailure.ROW_TOO_LONG);
            return true;
        }
        final boolean isWhole = plan.select() == null;
        // A pair is no record: it has no key, sequence or time of its own.
        final long from = reader.pairs() == null ? version : 0;
        return pages.add(topic, isPublisherKey(topic), isWhole, from, reader.projected(message), 0, length);
    }

    /** The row of a group. Returns false when there is no room now. */
    boolean sendGroup(final Topic topic, final DirectBuffer row) {
        return pages.add(topic, false, false, 0, row, 0, row.capacity());
    }

    private static boolean isPublisherKey(final Topic topic) {
        final StateRule rule = topic.state();
        return rule != null && rule.isPublisherKey();
    }
}
