package io.penstock.bench.state;

import io.penstock.bench.embedded.Background;
import io.penstock.bench.embedded.PacedPublisher;
import io.penstock.bench.figure.Pace;
import io.penstock.bench.figure.SourcedFigure;
import io.penstock.client.PenstockException;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Updates of all rows and publishing at a pace, alone and beside queries. Confined to the main thread. */
final class ChangingRows {
    private static final int OVERWRITTEN_LENGTH = 208;
    private static final long BESIDE_NS = 1_000_000_000L;

    private final RowsPlan plan;
    private final RowDocuments documents;
    private final RowBroker broker;
    private final PlainRows plain;
    private final RowQuery query;
    private final AtomicLong version = new AtomicLong();

    ChangingRows(
            final RowsPlan plan,
            final RowDocuments documents,
            final RowBroker broker,
            final PlainRows plain,
            final RowQuery query) {
        this.plan = plan;
        this.documents = documents;
        this.broker = broker;
        this.plain = plain;
        this.query = query;
    }

    /**
     * Updates every row in an order that no cache predicts, and does so again while a query is asked all the time.
     *
     * @param figure of the updates.
     * @param beside of queries meanwhile.
     * @param json   for what is no figure.
     * @return updates in a second beside the queries.
     */
    double update(final SourcedFigure figure, final SourcedFigure beside, final Json json) throws InterruptedException {
        for (int round = 0; round < plan.rounds(); round++) {
            figure.add(updateAll());
            figure.add(plain.name(), plain.overwrite(plan.rowCount(), OVERWRITTEN_LENGTH));
        }
        // What all these updates have left to the next query is its own figure, and not that of queries beside updates.
        final Pace catchUp = broker.count(query).pace();
        json.field("catch_up_rows_per_s", catchUp.count() * 1e9 / catchUp.wallNs());
        final AtomicBoolean isRunning = new AtomicBoolean(true);
        final AtomicLong updated = new AtomicLong();
        final AtomicLong tookNs = new AtomicLong();
        long tooOld = 0;
        try (Background updates = Background.start(
                "bench-updates",
                () -> {
                    do {
                        final Pace pace = updateAll();
                        updated.addAndGet(pace.count());
                        tookNs.addAndGet(pace.wallNs());
                    } while (isRunning.get());
                },
                () -> isRunning.set(false))) {
            final long endNs = System.nanoTime() + BESIDE_NS;
            do {
                try {
                    beside.add(broker.count(query).pace());
                } catch (final PenstockException e) {
                    if (e.errorCode() != ErrorCode.SNAPSHOT_TOO_OLD) {
                        throw e;
                    }
                    tooOld++;
                }
            } while (updates.isRunning() && (System.nanoTime() - endNs < 0 || beside.isEmpty()));
            updates.end();
        }
        plain.version(version.get());
        RowsRun.agree("after updates: " + query.text(), broker, broker.count(query), plain, plain.count(query));
        json.field("queries_too_old", tooOld);
        return updated.get() * 1e9 / tookNs.get();
    }

    private Pace updateAll() {
        return broker.publish(documents, Walk.spread(plan.rowCount()), version.incrementAndGet())
                .pace();
    }

    /** Publishes at the rate, alone and beside queries, whose answers are all checked, in turn. */
    Json publish(final SourcedFigure besidePublishing) throws InterruptedException {
        final Latency quiet = new Latency();
        final Latency beside = new Latency();
        final double expected = plain.count(query).values().get(0);
        for (int round = 0; round < plan.rounds(); round++) {
            quiet.add(run(new SourcedFigure("", ""), Double.NaN));
            beside.add(run(besidePublishing, expected));
        }
        final Json json = new Json().field("rate", plan.publishing().rate());
        quiet.report("quiet_", json);
        beside.report("", json);
        return json.field("p50_ratio", beside.us(50) / quiet.us(50))
                .field("p99_ratio", beside.us(99) / quiet.us(99))
                .field("p999_ratio", beside.us(99.9) / quiet.us(99.9));
    }

    /** Beside queries if a count is expected. */
    private PacedPublisher run(final SourcedFigure figure, final double expected) throws InterruptedException {
        final PacedPublisher publisher = new PacedPublisher(
                handler -> broker.session(RowBroker.TOPIC, handler),
                SubscribeRequest.topic(RowBroker.TOPIC),
                new SameRows(documents, Walk.spread(plan.rowCount()), version.get()),
                plan.publishing().rate(),
                plan.publishing().seconds());
        try (Background publishing = Background.start("bench-publisher", publisher, publisher::stop)) {
            if (Double.isNaN(expected)) {
                publishing.await();
            }
            while (publishing.isRunning()) {
                final RowSource.Answer answer = broker.count(query);
                if (answer.values().get(0) != expected) {
                    throw CommandFailure.failed("bench: while rows are published "
                            + answer.values().get(0) + " match, not " + expected + ": " + query.text());
                }
                figure.add(answer.pace());
            }
            publishing.await();
        }
        return publisher;
    }

    /** Rows in an order that no cache predicts, as they are but for a stamp, which no query asks for. */
    private record SameRows(RowDocuments documents, Walk walk, long version)
            implements PacedPublisher.NumberedMessages {
        @Override
        public int write(final long number, final UnsafeBuffer to) {
            return documents.write(walk.at((int) (number % walk.count())), version, number, to);
        }

        @Override
        public long number(final DirectBuffer from, final int offset) {
            return RowDocuments.stamp(from, offset);
        }
    }

    /** Latencies of all rounds. */
    private static final class Latency {
        private final Histogram all = new Histogram(3);
        private double reachedPerS;
        private int rounds;

        void add(final PacedPublisher publisher) {
            all.add(publisher.latencies());
            reachedPerS += publisher.reachedPerS();
            rounds++;
        }

        double us(final double percentile) {
            return all.getValueAtPercentile(percentile) / 1e3;
        }

        void report(final String before, final Json json) {
            json.field(before + "msgs_per_s", reachedPerS / rounds)
                    .field(before + "p50_us", us(50))
                    .field(before + "p99_us", us(99))
                    .field(before + "p999_us", us(99.9))
                    .field(before + "max_us", all.getMaxValue() / 1e3);
        }
    }
}
