package io.penstock.bench.state;

import io.penstock.bench.embedded.BenchSession;
import io.penstock.bench.figure.Pace;
import io.penstock.client.SubscribeRequest;
import io.penstock.standalone.CommandFailure;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Publishes JSON of 400 bytes to a topic with state and a subscription with a filter: each message is parsed, stored, indexed by
 * its key and matched. Deliveries are compared with a count of its own. Confined to the main thread.
 */
final class IndexedMessages {
    private static final String TOPIC = "indexed";
    private static final int LENGTH = 400;
    private static final int COUNT_MAX = 500_000;
    private static final long SUBSCRIPTION = 1;

    private final RowBroker broker;
    private final RowDocuments documents;
    private final RowQuery query;
    private final int count;
    private long delivered;

    IndexedMessages(final RowBroker broker, final RowDocuments documents, final RowQuery query, final int rowCount) {
        this.broker = broker;
        this.documents = documents;
        this.query = query;
        count = Math.min(rowCount, COUNT_MAX);
        broker.declare(TOPIC);
    }

    int count() {
        return count;
    }

    /** Publishes all of them in a version, in an order that no cache predicts. */
    Pace publish(final long version) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[RowDocuments.LENGTH_MAX]);
        final Walk walk = Walk.spread(count);
        try (BenchSession session = broker.session(TOPIC, (subscription, buffer, offset, length) -> delivered++)) {
            session.subscribe(SUBSCRIPTION, SubscribeRequest.topic(TOPIC).filter(query.text()));
            session.awaitAcks();
            delivered = 0;
            final long cpuNs = broker.cpuNs();
            final long startNs = System.nanoTime();
            for (int i = 0; i < count; i++) {
                documents.writeLonger(walk.next(), version, LENGTH, message);
                session.publish(message, LENGTH);
            }
            session.flush();
            final Pace pace = new Pace(count, System.nanoTime() - startNs, Math.max(1, broker.cpuNs() - cpuNs));
            check(session, version);
            return pace;
        }
    }

    private void check(final BenchSession session, final long version) {
        long expected = 0;
        for (int row = 0; row < count; row++) {
            expected += documents.matches(query, row, version) ? 1 : 0;
        }
        final long awaited = expected;
        session.await(() -> delivered >= awaited);
        if (delivered != expected) {
            throw CommandFailure.failed("bench: " + delivered + " messages were delivered, not " + expected);
        }
    }
}
