package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerLaunchTest {
    @ParameterizedTest
    @ValueSource(strings = {"tcp://0.0.0.0:0", "tcp://[::]:0", "tcp://192.0.2.1:9100", "tcp://192.0.2.1"})
    void shouldRefuseEndpointWhenOtherMachinesCanReachIt(final String endpoint) {
        assertThatThrownBy(() -> launch(builder().listen("inproc:ok").listen(endpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("listen: other machines can reach " + endpoint)
                .hasMessageContaining("security.allowInsecureListen");
    }

    /** A host that {@link java.net.URI#getHost()} does not understand, though transports do. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp://no_such_host:0", "tcp://*:0"})
    void shouldRefuseEndpointWhenItsHostIsNotKnownToBeThisMachine(final String endpoint) {
        assertThatThrownBy(() -> launch(builder().listen(endpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("listen: unknown host: " + endpoint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp://127.0.0.1:0", "tcp://[::1]:0", "inproc:launch-test"})
    void shouldListenWhenOnlyThisMachineCanReachIt(final String endpoint) {
        try (Broker broker = Broker.launch(builder().listen(endpoint).build())) {
            assertThat(broker.endpoints()).hasSize(1);
            assertThat(broker.endpoints().get(0).toString()).doesNotEndWith(":0");
        }
    }

    @Test
    void shouldLeaveNothingOpenWhenOneEndpointIsTaken() {
        try (Broker first = Broker.launch(builder().listen("inproc:taken").build())) {
            assertThatThrownBy(() -> launch(builder().listen("inproc:free").listen("inproc:taken")))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("inproc:taken");
            assertThat(first.endpoints()).hasSize(1);
        }
        Broker.launch(builder().listen("inproc:free").listen("inproc:taken").build())
                .close();
    }

    @Test
    void shouldKeepDeclaredTopicsAsDeclaredWhenARuleMatchesThemToo() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(4)
                .topic(new TopicConfig(".*", true, "binary", 1))
                .topic(new TopicConfig("t", false, "json", 3)))) {
            final RawClient client = test.logOn("client");
            client.publish(2, "u", "not json");
            client.publish(3, "t", "not json");
            client.publish(4, "t", "{}");
            test.settle();
            client.topics(5, "");
            test.awaitAck(client, 5);

            assertThat(client.events).containsSubsequence("error 3 0 BAD_MESSAGE", "ack 4 PROCESSED");
            assertThat(client.topicFormats).containsEntry("t", "json").containsEntry("u", "binary");
            assertThat(client.topicShards).containsEntry("t", 3).containsEntry("u", 1);
        }
    }

    @Test
    void shouldRefuseTopicWhenDeclaredTwice() {
        assertThatThrownBy(() -> launch(builder()
                        .listen("inproc:twice")
                        .topic(TopicConfig.topic("t", "json"))
                        .topic(TopicConfig.topic("t", "json"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topics: cannot declare: t");
    }

    @Test
    void shouldSayThatTheWindowIsTooShortForAllTopicsThatAreDeclared() {
        final BrokerConfig.Builder many = builder()
                .listen("inproc:many")
                .window(new WindowConfig(16 * 1024, 3))
                .sessions(new SessionConfig(64, 64, 8 * 1024, 10_000, 64, 1024, 64, 1 << 24, 1_000, 500));
        for (int i = 0; i < 1_000; i++) {
            many.topic(TopicConfig.topic("of.many." + i, "json"));
        }
        assertThatThrownBy(() -> launch(many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("topics: cannot declare: of\\.many\\.[0-9]+: the log window has no room for so many"
                        + " topics \\(raise window\\.segmentLength\\)");
    }

    @Test
    void shouldStartWithManyShards() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(800)
                .window(new WindowConfig(16 * 1024, 3))
                .sessions(TestBroker.sessions(1024, 8 * 1024)))) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, ".*", "", true);
            for (int i = 0; i < 50; i++) {
                client.publish(3, "t" + i, "{}");
            }
            test.settle();

            assertThat(client.deliveries).hasSize(50);
        }
    }

    @Test
    void shouldHaveStagingForTheLongestMessage() {
        // Just below a power of two, so that the frame needs a slot of twice as much.
        final int messageLengthMax = 256 * 1024 - 1;
        assertThatThrownBy(() -> staging(messageLengthMax, 2L * messageLengthMax))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("sessions.stagingLengthMax: too small");
        final SessionConfig least = staging(messageLengthMax, 512 * 1024);
        try (TestBroker test = new TestBroker(builder ->
                builder.sessions(least).window(new WindowConfig(512 * 1024, 3)).formatDefault("binary"))) {
            final RawClient client = test.logOn("client");
            client.publish(2, 0, RawClient.ACK_PROCESSED, "t", new byte[messageLengthMax]);

            test.awaitAck(client, 2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadingMode.class,
            names = {"SHARED", "DEDICATED"})
    @Timeout(60)
    void shouldStopItsThreadsWhenClosed(final ThreadingMode threading) {
        final BrokerConfig config = BrokerConfig.builder()
                .listen("inproc:stops")
                .threading(threading)
                .shardCount(3)
                .window(new WindowConfig(64 * 1024, 3))
                .sessions(TestBroker.sessions(1024, 16 * 1024))
                .state(new StateConfig(1 << 30, 1 << 20, 1 << 20, 1, 1000, 1 << 20))
                .build();
        // What others have left may end meanwhile.
        final Set<Thread> others = Set.copyOf(threads());
        final long startNs = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            final Broker broker = Broker.launch(config);
            assertThat(threads())
                    .filteredOn(each -> !others.contains(each))
                    .hasSize(threading == ThreadingMode.SHARED ? 3 : 7);
            broker.close();
            broker.close();
            assertThat(threads()).filteredOn(each -> !others.contains(each)).isEmpty();
        }
        assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("penstock-"))
                .toList();
    }

    private static SessionConfig staging(final int messageLengthMax, final long stagingLengthMax) {
        return new SessionConfig(64, 64, messageLengthMax, 64, 64, 1024, 64, stagingLengthMax, 1_000, 500);
    }

    private static BrokerConfig.Builder builder() {
        return BrokerConfig.builder()
                .threading(ThreadingMode.INVOKER)
                .window(new WindowConfig(64 * 1024, 3))
                .sessions(TestBroker.sessions(1024, 16 * 1024));
    }

    private static void launch(final BrokerConfig.Builder builder) {
        Broker.launch(builder.build()).close();
    }
}
