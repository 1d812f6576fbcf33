package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer of a sink, beside a broker that says only what the test makes it say. */
@Timeout(60)
class SinkWriterTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int LARGE = 64 << 20;

    private boolean isToReconnect = true;
    private final ClientFixture fixture = new ClientFixture(
            "sink-writer-test",
            config -> config.requestTimeout(LONG)
                    .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(1))
                    .onDisconnect(disconnect -> isToReconnect));
    private final ScriptedBroker broker = fixture.broker;

    private final BlockListener blocks = new BlockListener() {
        @Override
        public void onStored(
                final long tag, final long blockId, final long number, final long offset, final int length) {
            fixture.events.add("stored " + tag + " " + blockId + " " + number);
        }

        @Override
        public void onFailed(final long tag, final PenstockException reason) {
            fixture.events.add("failed " + tag + " " + reason.getMessage());
        }
    };

    @AfterEach
    void close() {
        fixture.close();
    }

    private CompletableFuture<BlockWriter> open(final SinkOptions options) {
        return CompletableFuture.supplyAsync(() -> fixture.client.openSink("events", options));
    }

    /** Lets both sides work until a command has come, and takes its fields apart. */
    private String[] awaitCommand(final String name) {
        while (true) {
            fixture.poll();
            for (final String command : broker.commands()) {
                if (command.startsWith(name + " ")) {
                    return command.split(" ", -1);
                }
            }
        }
    }

    private BlockWriter opened() {
        fixture.loggedOn();
        final CompletableFuture<BlockWriter> writer =
                open(SinkOptions.of(100, 4).producer("p").listener(blocks));
        answerOpen();
        return writer.join();
    }

    private void answerOpen() {
        final String[] command = awaitCommand("open_sink");
        broker.sinkOpened(Long.parseLong(command[1]), Integer.parseInt(command[2]), 0);
        fixture.poll();
    }

    private void shutDown(final String[] command) {
        broker.error(Long.parseLong(command[1]), 0, ErrorCode.SHUTTING_DOWN, "going down");
        fixture.poll();
    }

    private void reconnect() {
        broker.disconnect();
        fixture.poll();
        fixture.clock.advanceMillis(2);
        broker.logonAck(Long.parseLong(awaitCommand("logon")[1]));
        fixture.poll();
    }

    private Throwable awaitFailure(final CompletableFuture<BlockWriter> writer) {
        while (!writer.isDone()) {
            fixture.poll();
        }
        return writer.handle((opened, reason) -> reason instanceof CompletionException ? reason.getCause() : reason)
                .join();
    }

    @Test
    void shouldOfferBlocksAgainWhenTheBrokerWasShuttingDown() {
        final BlockWriter writer = opened();
        writer.claim(LONG).submit(3, 71);
        shutDown(awaitCommand("offer_block"));
        writer.claim(LONG).submit(4, 72);
        shutDown(awaitCommand("offer_block"));
        reconnect();
        shutDown(awaitCommand("open_sink"));
        assertThat(fixture.events()).isEmpty();

        reconnect();
        answerOpen();
        final String[] first = awaitCommand("offer_block");
        assertThat(first[3]).isEqualTo("1");
        broker.blockStored(Long.parseLong(first[1]), Integer.parseInt(first[2]), 1, 1);
        broker.blockStored(Long.parseLong(first[1]) + 1, Integer.parseInt(first[2]), 2, 2);
        fixture.poll();
        assertThat(fixture.events()).containsExactly("stored 71 1 1", "stored 72 2 2");
        assertThat(writer.resentCount()).isEqualTo(2);
    }

    @Test
    void shouldFreeTheMemoryWhenTheLastBlockIsGivenBackAfterTheWriterWasClosed() {
        final BlockWriter writer = opened();
        final Block block = writer.claim(LONG);
        final CompletableFuture<Void> closed = CompletableFuture.runAsync(writer::close);
        while (!closed.isDone()) {
            fixture.poll();
        }
        assertThat(block.buffer().capacity()).as("still in use").isEqualTo(100);

        block.release();
        fixture.poll();
        assertThat(block.buffer().capacity()).isZero();
    }

    @Test
    void shouldFailBlocksWhenTheBrokerHasShutDownAndTheClientDoesNotReconnect() {
        isToReconnect = false;
        final BlockWriter writer = opened();
        writer.claim(LONG).submit(3, 71);
        shutDown(awaitCommand("offer_block"));
        assertThat(fixture.events()).isEmpty();
        broker.disconnect();
        fixture.poll();

        assertThat(fixture.events()).singleElement().asString().startsWith("failed 71 ");
    }

    /** What is submitted after the last one was failed would never be answered. */
    @Test
    void shouldTakeNoMoreBlocksWhenItBeginsToFailThem() {
        final CompletableFuture<BlockWriter> writer = new CompletableFuture<>();
        final CompletableFuture<Block> claimed = new CompletableFuture<>();
        fixture.loggedOn();
        final CompletableFuture<BlockWriter> opening =
                open(SinkOptions.of(100, 3).producer("p").listener(new BlockListener() {
                    @Override
                    public void onFailed(final long tag, final PenstockException reason) {
                        fixture.events.add("failed " + tag);
                        assertRefused(() -> claimed.join().submit(1, 72));
                        assertRefused(() -> writer.join().claim(Duration.ZERO));
                        fixture.events.add("refused");
                    }
                }));
        answerOpen();
        writer.complete(opening.join());
        claimed.complete(writer.join().claim(LONG));
        writer.join().claim(LONG).submit(3, 71);
        awaitCommand("offer_block");
        reconnect();

        broker.error(Long.parseLong(awaitCommand("open_sink")[1]), 0, ErrorCode.UNKNOWN_SINK, "no such sink");
        fixture.poll();

        assertThat(fixture.events()).containsExactly("failed 71", "refused");
    }

    /** Also while others are notified first. */
    @Test
    void shouldGiveNoBlockOnceItsClientHasEnded() {
        fixture.loggedOn();
        final CompletableFuture<BlockWriter> opening = open(SinkOptions.of(100, 3));
        answerOpen();
        final BlockWriter writer = opening.join();
        final CompletableFuture<Ack> published = fixture.client.publish("orders", "a", AckType.PROCESSED);
        final CompletableFuture<?> claiming =
                published.handle((acknowledgement, reason) -> writer.claim(Duration.ZERO));
        fixture.poll();
        assertThat(claiming).isNotDone();

        fixture.agent.end(new ConnectionException("lost for good", null));

        assertThat(claiming).isCompletedExceptionally();
        assertThatThrownBy(claiming::join).hasMessageContaining("lost for good");
    }

    private static void assertRefused(final ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(PenstockException.class).hasMessageContaining("no such sink");
    }

    @Test
    void shouldRefuseToOpenASinkWhenTheBrokerIsShuttingDown() {
        fixture.loggedOn();
        final CompletableFuture<BlockWriter> writer = open(SinkOptions.of(100, 1));
        shutDown(awaitCommand("open_sink"));

        assertThat(awaitFailure(writer)).isInstanceOf(PenstockException.class).hasMessageContaining("going down");
    }

    @Test
    void shouldGiveMemoryBackAtOnceWhenASinkIsRefused() {
        fixture.loggedOn();
        final long before = directMemory();
        final CompletableFuture<BlockWriter> writer = open(SinkOptions.of(LARGE, 1));
        final String[] command = awaitCommand("open_sink");
        assertThat(directMemory() - before).isGreaterThanOrEqualTo(LARGE);
        broker.error(Long.parseLong(command[1]), 0, ErrorCode.UNKNOWN_SINK, "no such sink");

        assertThat(awaitFailure(writer)).hasMessageContaining("no such sink");
        assertThat(directMemory() - before).isLessThan(LARGE);
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** Tests run with at most 2 GiB outside of the heap. */
    @Test
    void shouldRefuseToOpenASinkAndGoOnWhenThereIsNoMemoryForIt() {
        final ByteBuffer other = ByteBuffer.allocateDirect(1 << 20);
        try {
            fixture.loggedOn();
            final int blockLength = (Integer.MAX_VALUE - (1 << 16)) / 2;

            assertThat(awaitFailure(open(SinkOptions.of(blockLength, 2))))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("sink: no memory for blocks of events: ")
                    .hasMessageContaining("(use fewer or shorter blocks, or raise -XX:MaxDirectMemorySize)");
            fixture.poll();
            assertThat(broker.commands()).isEmpty();
            final CompletableFuture<BlockWriter> smaller = open(SinkOptions.of(100, 1));
            answerOpen();
            assertThat(smaller.join().memoryLength()).isEqualTo(100);
        } finally {
            Reference.reachabilityFence(other);
        }
    }
}
