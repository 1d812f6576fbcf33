package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.WindowConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client goes when one shard has answered its command, and the other answers for nobody. */
@Timeout(120)
class AbandonedCommandTest {
    private static final String ENDPOINT = "inproc:abandoned-command-test";
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<HeldSequencer> sequencers = new CopyOnWriteArrayList<>();

    @Test
    void shouldGiveBackWhatWasOpenedWhenTheClientGoes() {
        final BrokerConfig config = BrokerConfig.builder()
                .listen(ENDPOINT)
                .threading(ThreadingMode.DEDICATED)
                .shardCount(2)
                .window(new WindowConfig(64 * 1024, 3))
                .sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 10_000, 10_000))
                .topic(new TopicConfig("a", false, "json", 0, "id", 0))
                .topic(new TopicConfig("b", false, "json", 1, "id", 0))
                .agentWrapper(this::held)
                .build();
        try (Broker broker = Broker.launch(config);
                PenstockClient other = PenstockClient.connect(ENDPOINT)) {
            other.publish("a", "{\"id\":1}");
            other.publish("b", "{\"id\":1}");
            other.flush(LONG);
            // Says nothing before it goes: what is not read meanwhile would hide that it has gone.
            final PenstockClient going = PenstockClient.connect(ClientConfig.builder(ENDPOINT)
                    .heartbeatInterval(Duration.ofHours(1))
                    .requestTimeout(LONG)
                    .closeTimeout(Duration.ofMillis(1))
                    .build());
            sequencer(1).isHeld.set(true);
            final CompletableFuture<Object> asked = CompletableFuture.supplyAsync(
                    () -> going.sow(SowRequest.pattern(".*")), task -> new Thread(task, "asking").start());
            await(() -> sequencer(0).openCount.get() == 1);
            // The I/O agent has the answer of the first shard when it has served others since.
            other.topics("");
            other.topics("");
            going.close();
            assertThat(asked).failsWithin(LONG);
            await(() -> broker.counter("sessions") == 1);

            sequencer(1).isHeld.set(false);
            // Behind the command of the client that has gone.
            assertThat(other.sow(SowRequest.pattern(".*")).texts()).hasSize(2);
            await(() ->
                    sequencer(0).openCount.get() == 0 && sequencer(1).openCount.get() == 0);
            assertThat(broker.counter("subscriptions")).isZero();
        }
    }

    private static void await(final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(LONG.toSeconds()));
            LockSupport.parkNanos(1_000_000);
        }
    }

    private HeldSequencer sequencer(final int shard) {
        return sequencers.stream()
                .filter(each -> each.roleName().endsWith("-" + shard))
                .findFirst()
                .orElseThrow();
    }

    private Agent held(final Agent agent) {
        if (agent instanceof Sequencer sequencer) {
            final HeldSequencer held = new HeldSequencer(sequencer);
            sequencers.add(held);
            return held;
        }
        return agent;
    }

    /** One that does nothing while a test holds it, and says how many snapshots its shard has open. */
    private static final class HeldSequencer implements Agent {
        private final Sequencer sequencer;
        private final AtomicBoolean isHeld = new AtomicBoolean();
        private final AtomicInteger openCount = new AtomicInteger();

        private HeldSequencer(final Sequencer sequencer) {
            this.sequencer = sequencer;
        }

        @Override
        public void onStart() {
            sequencer.onStart();
        }

        @Override
        public int doWork() {
            if (isHeld.get()) {
                return 0;
            }
            final int workCount = sequencer.doWork();
            openCount.set(sequencer.shard().state().snapshots().openCount());
            return workCount;
        }

        @Override
        public void onClose() {
            sequencer.onClose();
        }

        @Override
        public String roleName() {
            return sequencer.roleName();
        }
    }
}
