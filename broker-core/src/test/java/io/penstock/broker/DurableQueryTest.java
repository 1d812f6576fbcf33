package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.HeldStorage.Gate;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.storage.StorageProvider;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queries whose answers wait until they are on stable storage; the test's clock says when the log is synced. */
@Timeout(60)
class DurableQueryTest {
    private static final int SYNC_MS = 1_000;
    private static final long ID = 7;
    private static final SowRequest ALL = SowRequest.topic("s");

    @TempDir
    Path directory;

    private final Gate gate = new Gate();
    private TestBroker broker;
    private StateClient client;

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void shouldAnswerOnlyWhenTheSyncHasCome() {
        start();
        client.publish("s", "{\"id\":1,\"v\":1}");
        assertThat(client.sow(ALL)).containsExactly("{\"id\":1,\"v\":1}");
        client.deliveries.clear();
        client.groups.clear();

        ask(ALL.durable());
        broker.advance(SYNC_MS / 2);
        assertThat(client.groups).isEmpty();
        assertThat(client.deliveries).isEmpty();

        broker.advance(SYNC_MS);
        assertThat(client.take()).containsExactly(ID + " STATE {\"id\":1,\"v\":1}");
        assertThat(client.groups).hasSize(2);
    }

    @Test
    void shouldShowTheMomentItWasAskedAt() {
        start();
        client.publish("s", "{\"id\":1,\"v\":1}");
        ask(ALL.durable());
        broker.settle();
        client.publish("s", "{\"id\":1,\"v\":2}");
        broker.advance(2 * SYNC_MS);

        assertThat(client.take()).containsExactly(ID + " STATE {\"id\":1,\"v\":1}");
    }

    @Test
    void shouldAnswerAtOnceWhatIsDurable() {
        start();
        client.publish("s", "{\"id\":1}");
        broker.advance(2 * SYNC_MS);

        assertThat(client.sow(ALL.durable())).containsExactly("{\"id\":1}");
    }

    @Test
    void shouldHoldBackRowsOfAnAggregate() {
        start();
        for (int i = 0; i < 10; i++) {
            client.publish("s", "{\"id\":" + i + ",\"g\":" + i % 2 + "}");
        }
        ask(ALL.select("g, COUNT(*) AS n").groupBy("g").orderBy("g").durable());
        broker.advance(SYNC_MS / 2);
        assertThat(client.deliveries).isEmpty();

        broker.advance(SYNC_MS);
        assertThat(client.take()).containsExactly(ID + " STATE {\"g\":0,\"n\":5}", ID + " STATE {\"g\":1,\"n\":5}");
    }

    @Test
    void shouldHoldBackMoreThanItsPagesHave() {
        start();
        final String text = "x".repeat(4_000);
        for (int i = 0; i < 500; i++) {
            client.publish("s", "{\"id\":" + i + ",\"t\":\"" + text + "\"}");
        }
        ask(ALL.durable());
        broker.advance(SYNC_MS / 2);
        assertThat(client.deliveries).isEmpty();

        broker.advance(2 * SYNC_MS);
        assertThat(client.take()).hasSize(500);
    }

    @Test
    void shouldNotWaitForTopicsInMemory() {
        start();
        client.publish("m", "{\"id\":1}");

        assertThat(client.sow(SowRequest.topic("m").durable())).containsExactly("{\"id\":1}");
    }

    @Test
    void shouldWaitForTheJournaledOnesOfAPattern() {
        start();
        client.publish("m", "{\"id\":1}");
        client.publish("s", "{\"id\":2}");
        ask(SowRequest.pattern("[ms]").durable());
        broker.advance(SYNC_MS / 2);
        assertThat(client.deliveries).isEmpty();

        broker.advance(SYNC_MS);
        assertThat(client.take()).hasSize(2);
    }

    @Test
    void shouldEndWhenItIsCancelledWhileItWaits() {
        start();
        client.publish("s", "{\"id\":1}");
        ask(ALL.durable());
        broker.settle();
        client.offer(() -> client.session.offerUnsubscribe(ID));
        broker.settle();

        assertError(ErrorCode.QUERY_CANCELLED, "ended by its client");
        assertThat(client.sow(ALL)).hasSize(1);
        assertAllClosed();
    }

    @Test
    void shouldEndWhenItsTimeIsUpWhileItWaits() {
        start();
        client.publish("s", "{\"id\":1}");
        ask(ALL.timeout(Duration.ofMillis(200)).durable());
        broker.advance(SYNC_MS / 2);

        assertError(ErrorCode.QUERY_CANCELLED, "took too long");
        assertAllClosed();
    }

    @Test
    void shouldLetGoOfItWhenItsClientGoes() {
        start();
        client.publish("s", "{\"id\":1}");
        ask(ALL.durable());
        broker.settle();
        client.close();
        client = new StateClient(broker);

        assertAllClosed();
    }

    @Test
    void shouldEndWhenTheLogFails() {
        start();
        client.publish("s", "{\"id\":1}");
        ask(ALL.durable());
        broker.settle();
        gate.fail();
        broker.advance(2 * SYNC_MS);

        assertError(ErrorCode.JOURNAL_FAILED, "the broker's disk has failed");
        assertThat(client.sow(ALL)).containsExactly("{\"id\":1}");
        assertThat(broker.takeErrors()).isNotEmpty();
        assertAllClosed();
    }

    @Test
    void shouldSendTheStateOfASubscriptionWhenItIsDurable() {
        start();
        client.publish("s", "{\"id\":1,\"v\":1}");
        client.subscribe(ID, SubscribeRequest.topic("s").sow().durable());
        client.publish("s", "{\"id\":1,\"v\":2}");
        broker.advance(SYNC_MS / 2);
        assertThat(client.deliveries).isEmpty();

        broker.advance(SYNC_MS);
        client.publish("s", "{\"id\":1,\"v\":3}");
        assertThat(client.take())
                .containsExactly(
                        ID + " STATE {\"id\":1,\"v\":1}",
                        ID + " MESSAGE {\"id\":1,\"v\":2}",
                        ID + " MESSAGE {\"id\":1,\"v\":3}");
    }

    @Test
    void shouldEndASubscriptionWhenTheLogFailsBeforeItsState() {
        start();
        client.publish("s", "{\"id\":1,\"v\":1}");
        client.subscribe(ID, SubscribeRequest.topic("s").sow().oof().durable());
        gate.fail();
        broker.advance(2 * SYNC_MS);

        assertError(ErrorCode.JOURNAL_FAILED, "the broker's disk has failed");
        assertThat(broker.broker.counter("subscriptions")).isZero();
        assertThat(broker.takeErrors()).isNotEmpty();
    }

    @Test
    void shouldRefuseItWithoutState() {
        start();
        client.subscribe(ID, SubscribeRequest.topic("s").durable());

        assertError(ErrorCode.BAD_QUERY, "durable is for the state");
    }

    @Test
    void shouldWaitForADiskThatIsBusy() {
        start(builder -> builder.threading(ThreadingMode.SHARED)
                .journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024)));
        gate.hold();
        client.publish("s", "{\"id\":1}");
        final long commandId = ask(ALL.durable());

        assertThat(client.sow(ALL)).containsExactly("{\"id\":1}");
        assertThat(client.groups).noneMatch(group -> group.contains(" " + ID + " "));
        assertThat(client.acks).doesNotContainKey(commandId);

        gate.release();
        broker.await(() -> client.acks.containsKey(commandId));
        assertThat(client.deliveries).filteredOn(each -> each.id() == ID).hasSize(1);
    }

    private void start() {
        start(builder -> builder.journal(JournalConfig.in(directory.toString())
                .withFileLength(64 * 1024)
                .withSync(SyncPolicy.INTERVAL)
                .withIntervalMs(SYNC_MS)));
    }

    private void start(final UnaryOperator<BrokerConfig.Builder> configure) {
        broker = new TestBroker(builder -> configure.apply(builder.topic(TopicConfig.keyed("s", "json", "id"))
                .topic(TopicConfig.keyed("m", "json", "id").inMemory())
                .storage(path -> new HeldStorage(StorageProvider.DISK.open(path), gate))));
        client = new StateClient(broker);
    }

    private long ask(final SowRequest request) {
        return client.offer(() -> client.session.offerSow(ID, request));
    }

    private void assertError(final ErrorCode code, final String text) {
        assertThat(client.errors).hasSize(1);
        assertThat(client.errors.get(0).errorCode()).isEqualTo(code);
        assertThat(client.errors.get(0).text()).contains(text);
        assertThat(client.deliveries).filteredOn(each -> each.id() == ID).isEmpty();
        assertThat(client.groups).noneMatch(group -> group.contains(" " + ID + " "));
    }

    /** Nothing waits any more: its number can be used again. */
    private void assertAllClosed() {
        final int errors = client.errors.size();
        final long commandId = ask(ALL);
        broker.await(() -> client.acks.containsKey(commandId));
        assertThat(client.errors).hasSize(errors);
        assertThat(client.deliveries).filteredOn(each -> each.id() == ID).hasSize(1);
    }
}
