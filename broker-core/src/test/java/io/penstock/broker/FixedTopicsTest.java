package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.event.EventHandler;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.shard.replica.ReplicatedLogs;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One node of several does not change alone what all of them go by. */
class FixedTopicsTest {
    private final CachedNanoClock clock = new CachedNanoClock();
    private final Broker broker = Broker.launch(
            BrokerConfig.builder()
                    .listen("inproc:fixed-topics")
                    .threading(ThreadingMode.INVOKER)
                    .topic(TopicConfig.topic("prices", "json"))
                    .events(EventHandler.NONE)
                    .nanoClock(clock)
                    .epochClock(clock::nanoTime)
                    .build(),
            RecoveryListener.NONE,
            new ReplicatedLogs(new LoopConsensus(clock::nanoTime)));

    @AfterEach
    void close() {
        broker.close();
    }

    private ReloadReport reload(final UnaryOperator<BrokerConfig.Builder> changed) {
        return broker.reload(changed.apply(broker.config().toBuilder()).build());
    }

    @Test
    void shouldRefuseATopicWhenANodeOfSeveral() {
        final ReloadReport report = reload(builder -> builder.topic(TopicConfig.topic("orders", "json")));

        assertThat(report.applied()).isEmpty();
        assertThat(report.refused())
                .singleElement()
                .asString()
                .contains("topics: a node of a cluster cannot change them");
        assertThat(broker.config().topics()).hasSize(1);
    }

    @Test
    void shouldRefuseAFormatWhenANodeOfSeveral() {
        assertThat(reload(builder -> builder.formatDefault("binary")).refused()).hasSize(1);
        assertThat(broker.config().formatDefault()).isEqualTo("json");
    }

    @Test
    void shouldTakeTheRestWhenANodeOfSeveral() {
        final ReloadReport report =
                reload(builder -> builder.journal(broker.config().journal().withRetention(1L << 30, 0)));

        assertThat(report.refused()).isEmpty();
    }
}
