package io.penstock.spring.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.PenstockClient;
import io.penstock.spring.Eventually;
import io.penstock.spring.LogCapture;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.annotation.PenstockState;
import io.penstock.spring.convert.PenstockConverters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class PenstockStateTest {
    private final TestBroker broker = TestBroker.inproc();
    private final PenstockClient client = broker.client();

    /** A payload. */
    record Quote(int id, double price) {}

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    static class Desk {
        private final Map<Integer, Quote> all;

        @PenstockState(topic = "quotes", filter = "price > 10")
        private @Nullable PenstockStateMap<String, Quote> dear;

        Desk(@PenstockState(topic = "quotes") final Map<Integer, Quote> all) {
            this.all = all;
        }

        PenstockStateMap<String, Quote> dear() {
            if (dear == null) {
                throw new AssertionError("nothing was injected");
            }
            return dear;
        }
    }

    private void publish(final int id, final double price) {
        client.publish("quotes", "{\"id\":" + id + ",\"price\":" + price + "}");
        client.flush();
    }

    @Test
    void shouldHoldAllRecordsAndFollowThemWhenInjected() {
        publish(1, 5);
        publish(2, 20);
        try (TestContext context = TestContext.start(broker.clients(), Desk.class)) {
            final Desk desk = context.bean(Desk.class);
            assertThat(desk.all).isEqualTo(Map.of(1, new Quote(1, 5), 2, new Quote(2, 20)));
            assertThat(desk.dear()).isEqualTo(Map.of("2", new Quote(2, 20)));
            assertThat(desk.dear().state()).isEqualTo(MirrorState.LIVE);

            publish(1, 30);
            publish(2, 1);
            Eventually.await("the filter is followed", () -> desk.dear().equals(Map.of("1", new Quote(1, 30))));
            Eventually.await("changes are followed", () -> desk.all.containsValue(new Quote(2, 1)));
            client.sowDelete("quotes", "id = 1");
            Eventually.await(
                    "deletes are followed",
                    () -> desk.all.size() == 1 && desk.dear().isEmpty());
        }
    }

    @Test
    void shouldRefuseChangesWhenTheProgramTries() {
        publish(1, 5);
        try (TestContext context = TestContext.start(broker.clients(), Desk.class)) {
            final Map<Integer, Quote> all = context.bean(Desk.class).all;
            assertThatThrownBy(() -> all.put(2, new Quote(2, 2))).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> all.remove(1)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(all::clear).isInstanceOf(UnsupportedOperationException.class);
            assertThat(all).hasSize(1);
        }
    }

    @Test
    void shouldNotifyListenersWhenRecordsChange() {
        publish(1, 5);
        try (TestContext context = TestContext.start(broker.clients(), Desk.class)) {
            final List<String> seen = new CopyOnWriteArrayList<>();
            context.bean(Desk.class).dear().addListener(new StateListener<>() {
                @Override
                public void onPut(final String key, final @Nullable Quote previous, final Quote value) {
                    seen.add(key + ": " + (previous == null ? "" : previous.price()) + "->" + value.price());
                }

                @Override
                public void onRemove(final String key, final Quote previous) {
                    seen.add(key + ": gone");
                }
            });
            publish(1, 11);
            Eventually.await("an event", () -> seen.size() == 1);
            publish(1, 12);
            Eventually.await("an event", () -> seen.size() == 2);
            publish(1, 1);
            Eventually.await("an event", () -> seen.size() == 3);
            assertThat(seen).containsExactly("1: ->11.0", "1: 11.0->12.0", "1: gone");
        }
    }

    @Test
    void shouldLoadAgainWhenTheBrokerRestarts(@TempDir final Path directory) {
        try (TestBroker journaled = TestBroker.journaled(directory)) {
            try (PenstockClient first = journaled.client()) {
                first.publish("quotes", "{\"id\":1,\"price\":5}");
                first.publish("quotes", "{\"id\":2,\"price\":6}");
                first.flush();
            }
            try (TestContext context = TestContext.start(journaled.clients(), Desk.class)) {
                final Map<Integer, Quote> all = context.bean(Desk.class).all;
                assertThat(all).hasSize(2);
                journaled.stop();
                Eventually.await(
                        "the loss is visible",
                        () -> context.bean(Desk.class).dear().state() == MirrorState.STALE);
                assertThat(all).hasSize(2);
                journaled.start();
                try (PenstockClient second = journaled.client()) {
                    second.sowDelete("quotes", "id = 1");
                    second.publish("quotes", "{\"id\":3,\"price\":7}");
                }
                Eventually.await("it is as the topic is", () -> all.keySet().equals(java.util.Set.of(2, 3)));
                Eventually.await(
                        "it is live", () -> context.bean(Desk.class).dear().state() == MirrorState.LIVE);
            }
        }
    }

    static class NoState {
        @PenstockState(topic = "orders")
        @Nullable
        Map<String, Quote> orders;
    }

    @Test
    void shouldNameTheFieldWhenTheTopicHasNoState() {
        client.publish("orders", "{}");
        client.flush();
        assertThatThrownBy(
                        () -> TestContext.start(broker.clients(), NoState.class).close())
                .hasStackTraceContaining("NoState.orders")
                .hasStackTraceContaining("state");
    }

    static class Impatient {
        @PenstockState(topic = "quotes", timeout = "100ms")
        @Nullable
        Map<String, Quote> quotes;
    }

    @Test
    void shouldNameTheTimeoutWhenTheBrokerIsAway() {
        client.close();
        broker.stop();
        assertThatThrownBy(() ->
                        TestContext.start(broker.clients(), Impatient.class).close())
                .hasStackTraceContaining("Impatient.quotes")
                .hasStackTraceContaining("timeout: ")
                .hasStackTraceContaining("wait for longer");
    }

    static class Small {
        @PenstockState(topic = "quotes", limit = "2")
        private @Nullable PenstockStateMap<Integer, Quote> quotes;
    }

    @Test
    void shouldFailAndKeepWhatItHasWhenThereAreMoreRecordsThanItsLimit() {
        publish(1, 1);
        publish(2, 2);
        try (TestContext context = TestContext.start(broker.clients(), Small.class)) {
            final PenstockStateMap<Integer, Quote> quotes = context.bean(Small.class).quotes;
            if (quotes == null) {
                throw new AssertionError("nothing was injected");
            }
            publish(3, 3);
            Eventually.await("it has failed", () -> quotes.state() == MirrorState.FAILED);
            assertThat(quotes).containsOnlyKeys(1, 2);
        }
        assertThatThrownBy(
                        () -> TestContext.start(broker.clients(), Small.class).close())
                .hasStackTraceContaining("raise its limit");
    }

    static class WrongType {
        @PenstockState(topic = "quotes")
        @Nullable
        List<Quote> quotes;
    }

    @Test
    void shouldNameTheTypeWhenItIsNoMap() {
        assertThatThrownBy(() ->
                        TestContext.start(broker.clients(), WrongType.class).close())
                .hasStackTraceContaining("WrongType.quotes")
                .hasStackTraceContaining("use a Map");
    }

    static class Reader {
        private static final List<Integer> SIZES = new CopyOnWriteArrayList<>();

        private final Map<Integer, Quote> quotes;

        Reader(@PenstockState(topic = "quotes") final Map<Integer, Quote> quotes) {
            this.quotes = quotes;
        }

        @PenstockListener(topic = "quotes", sow = true)
        void on(final Quote quote) {
            SIZES.add(quotes.size());
        }
    }

    @Test
    void shouldBeLoadedBeforeListenersAreCalled() {
        publish(1, 1);
        publish(2, 2);
        try (TestContext context = TestContext.start(broker.clients(), Reader.class)) {
            Eventually.await("they came", () -> Reader.SIZES.size() == 2);
            assertThat(Reader.SIZES).containsExactly(2, 2);
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    /** Writes the states of a mirror, and can interrupt its thread. */
    private static final class States implements StateListener<Integer, Quote> {
        private final List<MirrorState> seen = new CopyOnWriteArrayList<>();
        private final boolean isInterrupting;

        States(final boolean isInterrupting) {
            this.isInterrupting = isInterrupting;
        }

        @Override
        public void onPut(final Integer key, final @Nullable Quote previous, final Quote value) {
            if (isInterrupting) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onState(final MirrorState state) {
            seen.add(state);
        }
    }

    private static PenstockStateMap<Integer, Quote> quotes(final TestContext context) {
        final PenstockStateMap<Integer, Quote> quotes = context.bean(Small.class).quotes;
        if (quotes == null) {
            throw new AssertionError("nothing was injected");
        }
        return quotes;
    }

    @Test
    void shouldTellListenersThatItIsStaleWhenTheConnectionIsLost(@TempDir final Path directory) {
        try (TestBroker journaled = TestBroker.journaled(directory)) {
            try (PenstockClient first = journaled.client()) {
                first.publish("quotes", "{\"id\":1,\"price\":5}");
                first.flush();
            }
            try (TestContext context = TestContext.start(journaled.clients(), Small.class)) {
                final States states = new States(false);
                quotes(context).addListener(states);
                journaled.stop();
                Eventually.await(
                        () -> "it was told, and was told " + states.seen,
                        () -> states.seen.contains(MirrorState.STALE));
                journaled.start();
                Eventually.await(
                        () -> "it is live, and was told " + states.seen, () -> states.seen.contains(MirrorState.LIVE));
                assertThat(states.seen)
                        .containsExactly(MirrorState.STALE, MirrorState.RESYNCHRONISING, MirrorState.LIVE);
            }
        }
    }

    @Test
    void shouldFollowWhenAListenerInterruptsItsThread() {
        publish(1, 1);
        try (TestContext context = TestContext.start(broker.clients(), Small.class)) {
            quotes(context).addListener(new States(true));
            publish(1, 2);
            Eventually.await("the first change came", () -> quotes(context).containsValue(new Quote(1, 2)));
            publish(1, 3);
            Eventually.await("the next one came", () -> quotes(context).containsValue(new Quote(1, 3)));
        }
    }

    private void publish(final String payload) {
        client.publish("quotes", payload);
        client.flush();
    }

    @Test
    void shouldKeepTheFirstOfTwoRecordsWhenTheirKeysAreOneKeyOfTheMap() {
        publish("{\"id\":1,\"price\":1}");
        final PenstockConnection connection = new PenstockConnection(broker.clients());
        final StateMirrors mirrors = new StateMirrors(connection, PenstockConverters.defaults());
        final PenstockStateMap<?, ?> quotes = mirrors.mirror(
                new MirrorRequest("quotes", "", "", String.class, String.class, Duration.ofSeconds(60), 100), "a test");
        try (LogCapture log = new LogCapture(PenstockStateMap.class)) {
            mirrors.start();
            publish("{\"id\":\"1\",\"price\":2}");
            Eventually.await("the other is counted", () -> quotes.failureCount() == 1);
            Eventually.await("the other is logged", () -> log.has("{\"id\":\"1\"}"));

            client.sowDelete("quotes", List.of("{\"id\":\"1\"}"));
            publish("{\"id\":1,\"price\":3}");
            Eventually.await("the first has changed", () -> quotes.containsValue("{\"id\":1,\"price\":3}"));
            assertThat(quotes).hasSize(1);

            client.sowDelete("quotes", List.of("{\"id\":1}"));
            Eventually.await("it is gone", quotes::isEmpty);
            publish("{\"id\":\"1\",\"price\":4}");
            Eventually.await("the other has its place", () -> quotes.containsValue("{\"id\":\"1\",\"price\":4}"));
        } finally {
            mirrors.stop();
            connection.close();
        }
    }

    @Test
    void shouldWaitForTheBrokerWhenItDoesNotAnswer() throws Exception {
        publish(1, 1);
        final AtomicInteger clients = new AtomicInteger();
        // The first client has no time for an answer.
        final PenstockConnection connection = new PenstockConnection(purpose -> (clients.getAndIncrement() == 0
                        ? broker.builder().requestTimeout(Duration.ofNanos(1))
                        : broker.builder())
                .build());
        final StateMirrors mirrors = new StateMirrors(connection, PenstockConverters.defaults());
        final PenstockStateMap<?, ?> quotes = mirrors.mirror(
                new MirrorRequest("quotes", "", "", String.class, String.class, Duration.ofSeconds(60), 100), "a test");
        try (LogCapture log = new LogCapture(PenstockStateMap.class)) {
            final CompletableFuture<Void> started =
                    CompletableFuture.runAsync(mirrors::start, run -> new Thread(run).start());
            Eventually.await(
                    "it tries again, or does not start",
                    () -> log.has("cannot subscribe, and tries again") || started.isDone());
            connection.client().close();

            started.get(60, TimeUnit.SECONDS);
            assertThat(quotes).hasSize(1);
        } finally {
            mirrors.stop();
            connection.close();
        }
    }

    @Test
    void shouldStopAllWhenOneCannotBeLoaded() {
        client.publish("orders", "{}");
        publish(1, 1);
        final PenstockConnection connection = new PenstockConnection(broker.clients());
        final StateMirrors mirrors = new StateMirrors(connection, PenstockConverters.defaults());
        final PenstockStateMap<?, ?> quotes = mirrors.mirror(
                new MirrorRequest("quotes", "", "", String.class, String.class, Duration.ofSeconds(60), 100), "one");
        mirrors.mirror(
                new MirrorRequest("orders", "", "", String.class, String.class, Duration.ofSeconds(60), 100), "other");
        try {
            assertThatThrownBy(mirrors::start).hasMessageContaining("other");

            assertThat(mirrors.isRunning()).isFalse();
            assertThat(quotes.state()).isEqualTo(MirrorState.STOPPED);
        } finally {
            mirrors.stop();
            connection.close();
        }
    }
}
