package io.penstock.transport.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.SelectorLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ends that wait by futexes, and those that meet one that does not. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class IpcFutexTest {
    private static final long FOR_LONG_NS = TimeUnit.SECONDS.toNanos(20);
    private static final String BY_FUTEX = "?wait=futex";
    private static final int ROUNDS = 10;
    private static final int ROUND_COUNT = 50_000;

    @TempDir
    private Path folder;

    private final IpcSide server;
    private final IpcSide client;

    IpcFutexTest() throws IOException {
        server = new IpcSide();
        client = new IpcSide();
    }

    @BeforeEach
    void needFutexes() {
        IpcSide.needFutexes();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private URI endpoint(final String options) {
        return URI.create(IpcSide.endpoint(folder.resolve("d")) + options);
    }

    /** Who is woken answers in microseconds; who is not waits until the time is up, in each of the round trips. */
    @ParameterizedTest
    @CsvSource({"?wait=futex, ?wait=futex", "?wait=futex, ''", "'', ?wait=futex", "?wait=socket, ?wait=futex"})
    void shouldBeWokenByEachFrameWhenItWaits(final String atServer, final String atClient) throws Exception {
        final int count = 2_000;
        server.transport.listen(endpoint(atServer));
        final Connection connection = client.transport.connect(endpoint(atClient));
        final AtomicInteger answers = new AtomicInteger();
        server.rule = (from, buffer, offset, length) -> IpcSide.send(from, buffer.getInt(offset));
        client.rule = (from, buffer, offset, length) -> {
            assertThat(IpcSide.isFrame(buffer, offset, length, answers.get())).isTrue();
            return answers.incrementAndGet() > 0;
        };
        final long startNs = System.nanoTime();
        besideWaiting(server, () -> {
            for (int i = 0; i < count; i++) {
                final int number = i;
                assertThat(IpcSide.send(connection, number)).isTrue();
                IpcSide.awaitUntil(client, () -> answers.get() > number);
            }
        });

        assertThat(System.nanoTime() - startNs).isLessThan(count * Futexes.WAIT_NS_MAX / 2);
        assertThat(((IpcConnection) connection).ringsByFutex())
                .isEqualTo(atServer.equals(BY_FUTEX) && atClient.equals(BY_FUTEX));
    }

    /** While one comes and goes who is no peer to wait for by futexes. A wake-up too few ends in the deadline. */
    @Test
    void shouldBeWokenByEachFrameWhenItChangesHowItWaits() throws Exception {
        server.transport.listen(endpoint(BY_FUTEX));
        final Connection connection = client.transport.connect(endpoint(BY_FUTEX));
        final AtomicInteger answers = new AtomicInteger();
        server.rule = (from, buffer, offset, length) -> IpcSide.send(from, buffer.getInt(offset));
        client.rule = (from, buffer, offset, length) -> answers.incrementAndGet() > 0;
        try (IpcSide other = new IpcSide()) {
            besideWaiting(server, () -> {
                for (int i = 0; i < 2_000; i++) {
                    if (i % 20 == 0) {
                        connect(other);
                    } else if (i % 20 == 10) {
                        other.connections.get(other.connections.size() - 1).close();
                    }
                    final int number = i;
                    assertThat(IpcSide.send(connection, number)).isTrue();
                    IpcSide.awaitUntil(client, () -> answers.get() > number);
                }
            });
        }
        assertThat(answers.get()).isEqualTo(2_000);
    }

    private void connect(final IpcSide side) {
        try {
            side.transport.connect(endpoint("?ringLength=262144"));
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    void shouldBeWokenWhenThereIsRoomAgain() throws Exception {
        server.transport.listen(endpoint(BY_FUTEX));
        final Connection connection = client.transport.connect(endpoint(BY_FUTEX));
        IpcSide.pollUntil("accepted", () -> server.connections.size() == 1, server);
        final long id = server.connections.get(0).id();
        // The other side may stand still for a while, and then there is no room for so long.
        boolean isWoken = false;
        for (int round = 0; round < ROUNDS && !isWoken; round++) {
            final int from = round * ROUND_COUNT;
            final int to = from + ROUND_COUNT;
            final AtomicInteger waitCount = new AtomicInteger();
            final AtomicLong waitedNs = new AtomicLong();
            besideWaiting(server, () -> {
                for (int number = from; number < to; number++) {
                    while (!IpcSide.send(connection, number)) {
                        final long startNs = System.nanoTime();
                        client.transport.await(FOR_LONG_NS);
                        waitedNs.addAndGet(System.nanoTime() - startNs);
                        waitCount.incrementAndGet();
                    }
                }
            });
            IpcSide.pollUntil("all", () -> server.countById.getOrDefault(id, 0) == to, client, server);
            isWoken = waitCount.get() > 0 && waitedNs.get() < waitCount.get() * Futexes.WAIT_NS_MAX / 2;
        }

        assertThat(isWoken).isTrue();
    }

    @Test
    void shouldSeeItsPeerGoWhenItWaits() throws Exception {
        server.transport.listen(endpoint(BY_FUTEX));
        final Connection connection = client.transport.connect(endpoint(BY_FUTEX));
        IpcSide.awaitUntil(server, () -> server.connections.size() == 1);

        connection.close();
        IpcSide.awaitUntil(server, () -> server.reasons.size() == 1);

        assertThat(server.reasons).containsValue("closed by peer");
    }

    /** Their memory is not there any more. */
    @Test
    void shouldNotLookAtClosedConnectionsWhenItWaits() throws Exception {
        server.transport.listen(endpoint(BY_FUTEX));
        final Connection connection = client.transport.connect(endpoint(BY_FUTEX));
        IpcSide.awaitUntil(server, () -> server.connections.size() == 1);

        connection.close();
        client.transport.await(1_000_000);
        server.connections.get(0).close();
        server.transport.await(1_000_000);

        assertThat(client.errors).isEmpty();
        assertThat(server.errors).isEmpty();
    }

    /** Before it waits, and while it does. */
    @Test
    void shouldEndItsWaitWhenAnotherThreadSaysSo() throws Exception {
        server.transport.listen(endpoint(BY_FUTEX));
        client.transport.connect(endpoint(BY_FUTEX));
        IpcSide.awaitUntil(server, () -> server.connections.size() == 1);
        final int count = 3_000;
        final long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            server.transport.wakeup();
            server.transport.await(FOR_LONG_NS);
        }
        assertThat(System.nanoTime() - startNs).isLessThan(count * Futexes.WAIT_NS_MAX / 2);

        final AtomicInteger turns = new AtomicInteger();
        final CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                () -> {
                    while (turns.get() < count) {
                        server.transport.await(FOR_LONG_NS);
                        turns.incrementAndGet();
                    }
                },
                task -> new Thread(task, "waiting").start());
        final long secondNs = System.nanoTime();
        final Random random = new Random(13);
        for (int seen = turns.get(); seen < count; seen = turns.get()) {
            // At any time of the other's turn: mostly when it waits in the system.
            for (final long endNs = System.nanoTime() + random.nextInt(200_000); System.nanoTime() - endNs < 0; ) {
                Thread.onSpinWait();
            }
            server.transport.wakeup();
            while (turns.get() == seen) {
                Thread.onSpinWait();
            }
        }
        waiting.get(10, TimeUnit.SECONDS);
        assertThat(System.nanoTime() - secondNs).isLessThan(count * Futexes.WAIT_NS_MAX / 2);
    }

    /** It has nobody to be woken by, and nobody polls. */
    @Test
    void shouldWaitAsLongAsAskedWhenItHasNoConnection() throws Exception {
        server.transport.listen(endpoint(BY_FUTEX));
        final Connection connection = client.transport.connect(endpoint(BY_FUTEX));
        connection.close();
        client.transport.poll(1);
        final long startNs = System.nanoTime();

        client.transport.await(50_000_000);

        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(50_000_000);
    }

    /** Nor does who has one spin when it only waits. */
    @Test
    void shouldSleepEachTimeWhenNobodyPolls() throws Exception {
        server.transport.listen(endpoint(BY_FUTEX));
        client.transport.connect(endpoint(BY_FUTEX));
        IpcSide.awaitUntil(server, () -> server.connections.size() == 1);
        final long startNs = System.nanoTime();

        for (int i = 0; i < 20; i++) {
            client.transport.await(FOR_LONG_NS);
        }

        assertThat(System.nanoTime() - startNs).isGreaterThan(10 * Futexes.WAIT_NS_MAX);
    }

    @Test
    void shouldServeAllWhenTheyAreMoreThanItCanWaitFor() throws Exception {
        final int count = IpcSide.CONNECTION_LIMIT;
        assertThat(count).isGreaterThan(Futexes.PEER_COUNT_MAX);
        server.transport.listen(endpoint(BY_FUTEX + "&ringLength=262144"));
        for (int i = 0; i < count; i++) {
            client.transport.connect(endpoint(BY_FUTEX + "&ringLength=262144"));
            final int accepted = i + 1;
            IpcSide.awaitUntil(server, () -> server.connections.size() == accepted);
        }
        for (final Connection connection : client.connections) {
            assertThat(IpcSide.send(connection, 1)).isTrue();
            client.transport.poll(1);
            IpcSide.awaitUntil(server, () -> server.countById.size() == (int) connection.id());
        }
    }

    @Test
    void shouldRefuseToWaitByFutexWhenTheThreadWaitsForMore() throws IOException {
        try (SelectorLoop loop = new SelectorLoop();
                IpcSide shared = new IpcSide(loop)) {
            assertThatThrownBy(() -> shared.transport.listen(endpoint(BY_FUTEX)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(endpoint(BY_FUTEX) + ": cannot listen: wait=futex: this thread waits for"
                            + " other transports as well (use wait=socket");
        }
    }

    /** Does something while a side waits and reads in a thread of its own, which has ended afterwards whatever happens. */
    private static void besideWaiting(final IpcSide side, final Runnable task) throws Exception {
        final AtomicBoolean isEnding = new AtomicBoolean();
        final CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                () -> IpcSide.awaitUntil(side, isEnding::get), each -> new Thread(each, "waiting").start());
        try {
            task.run();
        } finally {
            isEnding.set(true);
            side.transport.wakeup();
            waiting.get(10, TimeUnit.SECONDS);
        }
    }
}
