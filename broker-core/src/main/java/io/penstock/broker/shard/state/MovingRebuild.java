package io.penstock.broker.shard.state;

import io.penstock.broker.query.Aggregation;
import io.penstock.broker.topic.WindowRule;
import org.agrona.DirectBuffer;

/** Fills the window of a view with messages of an earlier run. Used once, before the sequencer starts. */
final class MovingRebuild implements MessageHistory.Handler {
    /** Messages after which groups are forgotten that have become empty. */
    private static final int FORGET_AFTER = 4096;

    private final ViewSource source;
    private final MovingWindow window;
    private final Aggregation aggregation;
    private final RecordHandler to;
    private int messageCount;

    MovingRebuild(
            final ViewSource source, final MovingWindow window, final Aggregation aggregation, final RecordHandler to) {
        this.source = source;
        this.window = window;
        this.aggregation = aggregation;
        this.to = to;
    }

    /** Takes a record. */
    @FunctionalInterface
    interface RecordHandler {
        void onRecord(DirectBuffer record, int offset);
    }

    /** Reads the messages, and lets those go whose time is up by now. */
    void run(final WindowRule rule, final int sourceId, final MessageHistory history, final long nowNs) {
        history.forEach(
                sourceId,
                rule.timeNs() == 0 ? Long.MIN_VALUE : nowNs - rule.timeNs(),
                rule.messageCount() == 0 ? Long.MAX_VALUE : rule.messageCount(),
                this);
        window.evict(nowNs, Integer.MAX_VALUE);
        // None of these came in the first duty cycle.
        window.settle(nowNs);
        forget();
    }

    @Override
    public boolean matches(final DirectBuffer record, final int offset) {
        return source.matches(record, offset);
    }

    @Override
    public void onMessage(final DirectBuffer record, final int offset) {
        to.onRecord(record, offset);
        if (++messageCount % FORGET_AFTER == 0) {
            forget();
        }
    }

    private void forget() {
        aggregation.drainChanged((key, offset, length, count, row) -> {});
    }
}
