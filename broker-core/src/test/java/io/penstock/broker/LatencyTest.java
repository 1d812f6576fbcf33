package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.LatencyHistogram;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.client.SowRequest;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted of the times that messages and queries take, by a clock that a test moves. */
class LatencyTest {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    @TempDir
    private Path folder;

    private TestBroker broker() {
        return new TestBroker(builder -> builder.topic(TopicConfig.keyed("prices", "json", "/id"))
                .journal(JournalConfig.in(folder.toString())
                        .withSync(SyncPolicy.INTERVAL)
                        .withIntervalMs((int) TimeUnit.NANOSECONDS.toMillis(INTERVAL_NS))));
    }

    private static LatencyHistogram.Snapshot histogram(final TestBroker test, final String owner, final String name) {
        return test.broker.histograms().stream()
                .filter(each -> each.owner().equals(owner) && each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldCountFromApplyingARecordToItsDeliveryAndToStableStorage() {
        try (TestBroker test = broker()) {
            final RawClient client = test.connect();
            client.logon("reader", "", 0);
            test.settle();
            client.subscribe(2, 1, "prices", "");
            test.settle();
            test.clock.advance(INTERVAL_NS);
            test.settle();
            final long delivered = histogram(test, "io-0", "delivery").count();
            final LatencyHistogram.Snapshot before = histogram(test, "shard-0", "persist");

            client.publish(3, "prices", "{\"id\":1}");
            test.settle();
            test.clock.advance(INTERVAL_NS);
            test.settle();

            final LatencyHistogram.Snapshot persist = histogram(test, "shard-0", "persist");
            assertThat(persist.count() - before.count()).isOne();
            assertThat(persist.sumNs() - before.sumNs()).isGreaterThanOrEqualTo(INTERVAL_NS);
            assertThat(persist.sumNs() - before.sumNs()).isLessThan(10 * INTERVAL_NS);
            final LatencyHistogram.Snapshot delivery = histogram(test, "io-0", "delivery");
            assertThat(delivery.count() - delivered).isOne();
            assertThat(delivery.percentileNs(1)).isLessThan(INTERVAL_NS);
        }
    }

    @Test
    void shouldNotCountReplaysAsDeliveriesButQueries() {
        try (TestBroker test = broker()) {
            final RawClient client = test.connect();
            client.logon("reader", "", 0);
            test.settle();
            client.publish(2, "prices", "{\"id\":1}");
            test.settle();
            test.clock.advance(TimeUnit.SECONDS.toNanos(1));
            test.settle();
            assertThat(new StateClient(test).sow(SowRequest.topic("prices"))).hasSize(1);

            assertThat(histogram(test, "io-0", "query").count()).isOne();
            assertThat(histogram(test, "io-0", "delivery").count()).isZero();
        }
    }
}
