package io.penstock.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.rdma.verbs.Completions;
import io.penstock.transport.rdma.verbs.VerbsHandler;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens when devices, queues and peers fail; over a fabric in memory that does so on demand. */
@Timeout(60)
class RdmaFaultTest {
    private static final RdmaConfig SMALL = new RdmaConfig(RdmaConfig.AUTO, 4, 512L * 1024 * 1024, 0);
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long TIMEOUT_MS = 5000;

    private final FakeFabric fabric = new FakeFabric(7);
    private Party server;
    private Party client;
    private URI bound;

    @BeforeEach
    void listen() throws IOException {
        server = new Party(fabric, SMALL, TIMEOUT_MS);
        client = new Party(fabric, SMALL, TIMEOUT_MS);
        bound = server.listen();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {Completions.RETRIES_EXCEEDED, Completions.NO_RECEIVE, 4, 10, 99})
    void shouldDeliverWhatArrivedAndSayWhyWhenTheDeviceReportsAnError(final int status) throws IOException {
        final Connection connection = connect();
        Party.fill(connection, 100, 10);
        client.transport.poll(10);

        fabric.endpoints.get(1).fail(status);
        pollUntil(() -> !server.reasons.isEmpty());

        assertThat(server.receivedCount).isEqualTo(10);
        assertThat(server.reasons).hasSize(1);
        assertThat(server.reasons.get(0)).contains("(status " + status + ")");
        assertThat(server.connections.get(0).isClosed()).isTrue();
    }

    @Test
    void shouldDisconnectWhenThePeerIsKilled() throws IOException {
        connect();

        fabric.endpoints.get(0).die(true);
        pollUntil(() -> !server.reasons.isEmpty());

        assertThat(server.reasons).containsExactly("peer is gone: its process ended, or its machine");
    }

    @Test
    void shouldDisconnectWhenItSendsToAMachineThatDoesNotAnswer() throws IOException {
        final Connection connection = connect();
        fabric.endpoints.get(1).die(false);

        pollUntil(() -> {
            Party.fill(connection, 100, 1);
            return !client.reasons.isEmpty();
        });

        assertThat(client.reasons.get(0)).startsWith("peer does not answer: too many retries (status 12)");
        assertThat(Party.fill(connection, 100, 1)).isZero();
    }

    @Test
    void shouldDisconnectWhenTheQueueTakesNoMore() throws IOException {
        final Connection connection = connect();
        fabric.endpoints.get(0).isFull = true;
        Party.fill(connection, 100, 1);

        pollUntil(() -> !client.reasons.isEmpty());

        assertThat(client.reasons).containsExactly("the device takes no more requests");
    }

    @Test
    void shouldConnectAnewWhenAConnectionBroke() throws IOException {
        connect();
        fabric.endpoints.get(0).fail(Completions.RETRIES_EXCEEDED);
        pollUntil(() -> !client.reasons.isEmpty() && !server.reasons.isEmpty());

        final Connection connection = connect();
        Party.fill(connection, 100, 3);

        pollUntil(() -> server.receivedCount == 3);
    }

    @Test
    void shouldRegisterNothingWhenMessagesFlowAndConnectionsComeAgain() throws IOException {
        final Connection first = connect();
        final int before = fabric.registrationCount();

        for (int i = 0; i < 5000; i++) {
            Party.fill(first, 1000, 3);
            client.transport.poll(10);
            server.transport.poll(10);
        }
        first.close();
        pollUntil(() -> !server.reasons.isEmpty());
        connect();

        assertThat(server.receivedCount).isPositive();
        assertThat(fabric.registrationCount()).isEqualTo(before);
    }

    @Test
    void shouldGoOnInOneDirectionWhenTheOtherIsRefused() throws IOException {
        final Connection connection = connect();
        server.isRefusing = true;
        pollUntil(() -> Party.fill(connection, 60_000, 1) == 0 && quiet());

        final Connection back = server.connections.get(0);
        for (int i = 0; i < 2000; i++) {
            final int target = i + 1;
            pollUntil(() -> Party.fill(back, 60_000, 1) == 1);
            pollUntil(() -> client.receivedCount >= target);
        }

        assertThat(server.receivedCount).isZero();
        server.isRefusing = false;
        pollUntil(() -> Party.fill(connection, 60_000, 1) == 1);
    }

    @Test
    void shouldGoOnWhenBothSidesSendAsMuchAsTheyCan() throws IOException {
        fabric.lateness = 2;
        final Connection connection = connect();
        final Connection back = server.connections.get(0);

        pollUntil(() -> {
            Party.fill(connection, 50_000, 100);
            Party.fill(back, 50_000, 100);
            return client.receivedCount > 3000 && server.receivedCount > 3000;
        });

        assertThat(client.reasons).isEmpty();
    }

    @Test
    void shouldSayWhatIsMissingWhenMemoryCannotBeRegistered() {
        fabric.isOutOfMemory = true;

        assertThatThrownBy(() -> client.transport.connect(bound))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(bound + ": cannot connect: memory: cannot be registered with fake: ")
                .hasMessageContaining("Cannot allocate memory");
    }

    @Test
    void shouldRefuseThePeerWhenTheListenerHasNoMemory() throws IOException {
        // Both sides have a block of 528,384 bytes for each connection: three fit.
        final RdmaConfig tiny = new RdmaConfig(RdmaConfig.AUTO, 4, 2_000_000, 0);
        final FakeFabric other = new FakeFabric(1);
        try (Party listener = new Party(other, tiny, TIMEOUT_MS);
                Party caller = new Party(other, tiny, TIMEOUT_MS)) {
            final URI endpoint = listener.listen();
            caller.transport.connect(endpoint);
            pollUntil(() -> listener.transport.poll(10) > 0);

            assertThatThrownBy(() -> caller.transport.connect(endpoint))
                    .hasMessageContaining("peer refused: it has no memory left for another connection");
            pollUntil(() -> listener.transport.poll(10) + listener.errors.size() > 0);

            assertThat(listener.errors).hasSize(1);
            assertThat(listener.errors.get(0)).hasMessageContaining("the budget is used up: ");
            caller.connections.get(0).close();
            pollUntil(() -> listener.transport.poll(10) + listener.reasons.size() > 0 && connects(caller, endpoint));
        }
    }

    private static boolean connects(final Party caller, final URI endpoint) {
        try {
            caller.transport.connect(endpoint);
            return true;
        } catch (final IOException ignored) {
            return false;
        }
    }

    @Test
    void shouldGiveUpInTimeWhenNobodyAnswers() throws IOException {
        fabric.isDeaf = true;
        try (Party hasty = new Party(fabric, SMALL, 200)) {
            assertThatThrownBy(() -> hasty.transport.connect(bound))
                    .hasMessageStartingWith(bound + ": cannot connect: no answer in time");
        }
    }

    @Test
    void shouldRefuseWhenTooManyWaitToBeLetIn() throws IOException {
        for (int i = 0; i < Acceptance.BACKLOG; i++) {
            client.transport.connect(bound);
            if (client.connections.size() % 32 == 0) {
                client.connections.forEach(Connection::close);
            }
        }

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 3; i++) {
                        client.transport.connect(bound);
                    }
                })
                .hasMessageContaining("peer refused: too many wait to be let in");
    }

    @Test
    void shouldRefuseWhenThePeerSpeaksSomethingElse() throws Exception {
        final FakeVerbs stranger = new FakeVerbs(fabric);
        final UnsafeBuffer hello =
                new UnsafeBuffer("GET / HTTP/1.1..".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        final FakeEndpoint endpoint = (FakeEndpoint)
                stranger.resolve(new java.net.InetSocketAddress(FakeFabric.local(), bound.getPort()), 1000);
        endpoint.open(4, 4, 0);
        final Strangers heard = new Strangers();

        endpoint.connect(hello, 0, hello.capacity());
        pollUntil(() -> stranger.pollEvents(heard, 1) == 0 && heard.failure != null);

        assertThat(heard.refusal).startsWith("it speaks another version");
        assertThat(server.connections).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1, cannot connect: java.lang.IllegalStateException: rdma: not an IPv4",
        "2, peer refused: it has no memory"
    })
    void shouldGoOnWithAllOthersWhenOneConnectionThrows(final int which, final String reason) throws IOException {
        final Connection first = connect();
        fabric.addressFault = which;

        assertThatThrownBy(() -> client.transport.connect(bound))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);

        connect();
        Party.fill(first, 100, 3);
        pollUntil(() -> server.receivedCount == 3);
        assertThat(client.reasons).isEmpty();
        assertThat(server.reasons).isEmpty();
        assertThat(server.errors).hasSize(which - 1);
        server.errors.forEach(error ->
                assertThat(error).hasMessageStartingWith("rdma: a peer was refused: java.lang.IllegalStateException"));
    }

    @Test
    void shouldNotifyTheAgentAndGoOnWhenTheControlThreadMeetsABug() throws IOException {
        final Connection first = connect();
        final AssertionError bug = new AssertionError("a bug");
        reportToServer(handler -> {
            throw bug;
        });

        pollUntil(() -> !server.errors.isEmpty());

        assertThat(server.errors).containsExactly(bug);
        Party.fill(first, 100, 3);
        pollUntil(() -> server.receivedCount == 3);
        connect();
        assertThat(server.reasons).isEmpty();
    }

    @Test
    void shouldWakeTheAgentWhenTheControlThreadMeetsABug() {
        reportToServer(handler -> {
            throw new AssertionError("a bug");
        });

        server.transport.await(TimeUnit.SECONDS.toNanos(60));
        pollUntil(() -> !server.errors.isEmpty());
    }

    @Test
    void shouldSayThatNobodyConnectsAnyMoreWhenTheDeviceOfAListenerIsRemoved() throws IOException {
        final Connection first = connect();
        final FakeListener listener = Objects.requireNonNull(fabric.listener(bound.getPort()));
        reportToServer(handler -> handler.onListenerLost(listener));

        pollUntil(() -> !server.errors.isEmpty());

        assertThat(server.errors).hasSize(1);
        assertThat(server.errors.get(0))
                .hasMessage("rdma: listener " + bound + " has lost its device (bring it back and restart)");
        assertThatThrownBy(() -> client.transport.connect(bound)).hasMessageContaining("nobody listens there");
        Party.fill(first, 100, 1);
        pollUntil(() -> server.receivedCount == 1);
    }

    private void reportToServer(final Consumer<VerbsHandler> event) {
        Objects.requireNonNull(fabric.listener(bound.getPort())).verbs.report(event);
    }

    private Connection connect() throws IOException {
        final int count = server.connections.size();
        final Connection connection = client.transport.connect(bound);
        pollUntil(() -> server.connections.size() > count);
        return connection;
    }

    private boolean quiet() {
        int quietCount = 0;
        for (int i = 0; i < 100; i++) {
            quietCount += client.transport.poll(10) + server.transport.poll(10) == 0 ? 1 : 0;
        }
        return quietCount == 100;
    }

    private void pollUntil(final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            client.transport.poll(64);
            server.transport.poll(64);
            assertThat(System.nanoTime() - startNs).isLessThan(DEADLINE_NS);
        }
    }
}
