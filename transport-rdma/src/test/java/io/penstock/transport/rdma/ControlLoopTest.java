package io.penstock.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

/** What becomes of results that nobody waits for any more; duty cycles by hand. */
class ControlLoopTest {
    private static final int PORT = 7000;
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(FakeFabric.local(), PORT);

    private final FakeFabric fabric = new FakeFabric(1);
    private final ControlLoop loop = new ControlLoop(
            new FakeVerbs(fabric),
            FakeTransportTest.config(),
            SystemNanoClock.INSTANCE,
            TimeUnit.SECONDS.toNanos(5),
            () -> {});

    @Test
    void shouldListenNoMoreWhenNobodyWaitsForThat() {
        final CompletableFuture<InetSocketAddress> result = loop.listen(ADDRESS);
        result.cancel(false);

        loop.doWork();

        assertThat(fabric.listener(PORT)).isNull();
    }

    @Test
    void shouldListenWhenSomebodyWaitsForThat() throws Exception {
        final CompletableFuture<InetSocketAddress> result = loop.listen(ADDRESS);

        loop.doWork();

        assertThat(result.get()).isEqualTo(ADDRESS);
        assertThat(fabric.listener(PORT)).isNotNull();
        final CompletableFuture<Void> closed = loop.close();
        loop.doWork();
        assertThat(closed).isCompleted();
        assertThat(fabric.listener(PORT)).isNull();
    }

    @Test
    void shouldEndTheLinkWhenNobodyWaitsForItAnyMore() {
        assertThat(loop.listen(ADDRESS)).isNotDone();
        final CompletableFuture<Link> result = loop.dial(ADDRESS);
        result.cancel(false);

        loop.doWork();

        assertThat(fabric.endpoints).hasSize(2);
        assertThat(fabric.endpoints.get(0).isClosed()).isTrue();
    }

    /** The result came between the end of the wait and the attempt to take the order back. */
    @Test
    void shouldTakeWhatCameAtTheLastMomentWhenTheTimeIsUp() throws IOException {
        final Exception late = new TimeoutException();
        final CompletableFuture<String> came = CompletableFuture.completedFuture("link");
        assertThat(RdmaTransport.cancelled(came, "late", late)).isEqualTo("link");

        final CompletableFuture<String> never = new CompletableFuture<>();
        assertThatThrownBy(() -> RdmaTransport.cancelled(never, "late", late))
                .isInstanceOf(IOException.class)
                .hasMessage("late")
                .hasCause(late);
        assertThat(never).isCancelled();
        final CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException("no way"));
        assertThatThrownBy(() -> RdmaTransport.cancelled(failed, "late", late)).hasMessage("late");
    }
}
