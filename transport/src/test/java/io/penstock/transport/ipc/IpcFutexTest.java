package io.penstock.transport.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.Connection;
import io.penstock.transport.SelectorLoop;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

    @TempDir
    private Path folder;

    private final IpcSide server;
    private final IpcSide client;

    IpcFutexTest() throws IOException {
        server = new IpcSide();
        client = new IpcSide();
    }

    @BeforeEach
    void needTheLibrary() {
        assumeTrue(NativeLibrary.get().isAvailable(), NativeLibrary.get().report());
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
        final AtomicBoolean isEnding = new AtomicBoolean();
        final CompletableFuture<Void> serving = CompletableFuture.runAsync(
                () -> IpcSide.awaitUntil(server, isEnding::get), task -> new Thread(task, "server").start());

        final long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            final int number = i;
            assertThat(IpcSide.send(connection, number)).isTrue();
            IpcSide.awaitUntil(client, () -> answers.get() > number);
        }
        final long tookNs = System.nanoTime() - startNs;
        isEnding.set(true);
        server.transport.wakeup();
        serving.get(10, TimeUnit.SECONDS);

        assertThat(tookNs).isLessThan(count * Futexes.WAIT_NS_MAX / 2);
    }

    @Test
    void shouldBeWokenWhenThereIsRoomAgain() throws Exception {
        server.transport.listen(endpoint(BY_FUTEX));
        final Connection connection = client.transport.connect(endpoint(BY_FUTEX));
        IpcSide.pollUntil("accepted", () -> server.connections.size() == 1, server);
        final AtomicBoolean isEnding = new AtomicBoolean();
        final CompletableFuture<Void> reading = CompletableFuture.runAsync(
                () -> IpcSide.awaitUntil(server, isEnding::get), task -> new Thread(task, "server").start());

        for (int number = 0; number < 50_000; number++) {
            while (!IpcSide.send(connection, number)) {
                client.transport.await(FOR_LONG_NS);
            }
        }
        final long id = server.connections.get(0).id();
        client.transport.poll(1);
        isEnding.set(true);
        server.transport.wakeup();
        reading.get(10, TimeUnit.SECONDS);
        IpcSide.pollUntil("all", () -> server.countById.getOrDefault(id, 0) == 50_000, server, client);
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
        final long startNs = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            server.transport.wakeup();
            server.transport.await(FOR_LONG_NS);
        }
        assertThat(System.nanoTime() - startNs).isLessThan(1_000 * Futexes.WAIT_NS_MAX / 2);

        final AtomicInteger turns = new AtomicInteger();
        final CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                () -> {
                    while (turns.get() < 1_000) {
                        server.transport.await(FOR_LONG_NS);
                        turns.incrementAndGet();
                    }
                },
                task -> new Thread(task, "waiting").start());
        while (!waiting.isDone()) {
            server.transport.wakeup();
            Thread.onSpinWait();
        }
        waiting.get();
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
}
