package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.ErrorCode;
import io.penstock.transport.LentMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who delivers next: connections in turn, whether their blocks are sent or pulled, and producers up to a bound. */
class SinkTurnsTest {
    private static final int PIECE = 64 * 1024;

    @TempDir
    Path directory;

    private TestBroker broker(final String scheme, final int memoryLength) {
        return broker(scheme, memoryLength, SinksConfig.PRODUCER_COUNT_MAX_DEFAULT);
    }

    private TestBroker broker(final String scheme, final int memoryLength, final int producerCountMax) {
        return new TestBroker(
                scheme,
                builder -> builder.sinks(new SinksConfig(
                        directory.toString(),
                        List.of(SinkConfig.named("events")),
                        memoryLength,
                        memoryLength,
                        producerCountMax)));
    }

    private byte[] file() throws IOException {
        return Files.readAllBytes(directory.resolve("events"));
    }

    /** Opens some writers on one connection, each of which offers blocks of 64 KiB. */
    private static SinkClient offering(final TestBroker test, final int writerCount, final int blockCount) {
        return offering(test, writerCount, blockCount, PIECE);
    }

    private static SinkClient offering(
            final TestBroker test, final int writerCount, final int blockCount, final int length) {
        final SinkClient client = new SinkClient(test.logOn(""));
        final byte[] block = new byte[length];
        for (int writer = 1; writer <= writerCount; writer++) {
            client.openedBlockId = -1;
            client.open(writer, "events", "p" + test.clients.size() + "-" + writer, "", 0);
            test.await(() -> client.openedBlockId == 0);
        }
        for (int writer = 1; writer <= writerCount; writer++) {
            for (int i = 1; i <= blockCount; i++) {
                client.offer(writer, 1_000L * writer + i, -1, length, SinkClient.checksum(block));
            }
        }
        test.settle();
        return client;
    }

    private static void send(final TestBroker test, final SinkClient client, final long blockId) {
        for (int at = 0; at < PIECE; at += PIECE / 2) {
            client.data((int) (blockId / 1_000), blockId, at, new byte[PIECE / 2]);
        }
        test.await(() -> client.stored.stream().anyMatch(each -> each.blockId() == blockId));
        test.settle();
    }

    @Test
    void shouldGiveRoomToConnectionsInTurnHoweverManyWritersTheyHave() {
        try (TestBroker test = broker("inproc", 4 * PIECE)) {
            final SinkClient greedy = offering(test, 3, 10);
            final SinkClient modest = offering(test, 1, 10);
            assertThat(greedy.granted).containsExactly(1_001L, 2_001L, 3_001L, 1_002L);
            assertThat(modest.granted).isEmpty();
            for (final long blockId : List.copyOf(greedy.granted)) {
                send(test, greedy, blockId);
            }

            assertThat(modest.granted).as("every other turn is its").containsExactly(1_001L, 1_002L);
            assertThat(greedy.granted).hasSize(6);
        }
    }

    @Test
    void shouldGiveOneConnectionRoomUpToItsBoundHoweverManyWritersItHas() {
        try (TestBroker test = broker("inproc", 128 * PIECE)) {
            final SinkClient client = offering(test, 2, 60);
            assertThat(client.granted).as("4 MiB").hasSize(64);
            client.raw.disconnect();
            test.settle();
            assertThat(test.broker.counter("blockMemoryUsed")).isZero();
        }
    }

    @Test
    void shouldCountTheRoomThatShortBlocksTake() {
        try (TestBroker test = broker("inproc", 128 * PIECE)) {
            final SinkClient client = offering(test, 2, 60, 1);

            assertThat(client.granted).as("pieces of 64 KiB in 4 MiB").hasSize(64);
        }
    }

    @Test
    void shouldLeaveHalfOfTheRoomToOthersWhenBlocksAreLong() {
        try (TestBroker test = broker("inproc", 512 * PIECE)) {
            final SinkClient ofHalf = offering(test, 1, 2, 256 * PIECE);
            assertThat(ofHalf.granted).hasSize(1);
            ofHalf.raw.disconnect();
            test.settle();
            final SinkClient ofAQuarter = offering(test, 1, 3, 128 * PIECE);
            final SinkClient other = offering(test, 1, 1);

            assertThat(ofAQuarter.granted).hasSize(2);
            assertThat(other.granted).hasSize(1);
        }
    }

    @Test
    void shouldGiveRoomAgainWhenAWriterOfTheSameConnectionIsClosed() {
        try (TestBroker test = broker("inproc", 128 * PIECE)) {
            final SinkClient client = offering(test, 2, 60);
            assertThat(client.granted).filteredOn(each -> each > 2_000).hasSize(32);
            client.close(1);
            test.settle();

            assertThat(client.granted).filteredOn(each -> each > 2_000).hasSize(60);
            client.close(2);
            test.settle();
            assertThat(test.broker.counter("blockMemoryUsed")).isZero();
        }
    }

    @Test
    void shouldPullBlocksWhileOthersWaitForRoom() throws IOException {
        try (TestBroker test = broker("ipc", 2 * PIECE);
                Puller puller = new Puller(test)) {
            final SinkClient holding = offering(test, 1, 2);
            final SinkClient waiting = offering(test, 1, 1);
            assertThat(holding.granted).hasSize(2);
            assertThat(waiting.granted).isEmpty();
            puller.offer(1, new byte[] {1, 2, 3});
            test.await(() -> puller.client.stored.size() == 1);

            assertThat(waiting.granted).isEmpty();
            assertThat(file()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void shouldLeaveNothingOfABlockThatWasPulledAndIsNotWhatWasSaid() throws IOException {
        try (TestBroker test = broker("ipc", 2 * PIECE);
                Puller puller = new Puller(test)) {
            puller.memory.buffer().setMemory(0, 1_000, (byte) 7);
            puller.client.offer(1, 0, 1_000, 12345);
            test.settle();

            assertThat(puller.client.raw.errors).containsExactly(ErrorCode.BAD_BLOCK);
            assertThat(file()).isEmpty();
            assertThat(test.broker.counter("sinkCommits")).isZero();
        }
    }

    @Test
    void shouldRefuseProducersBeyondTheBoundBeforeTheyHaveDelivered() {
        try (TestBroker test = broker("inproc", PIECE, 2)) {
            final SinkClient one = SinkClient.open(test, "events", "one");
            SinkClient.open(test, "events", "two").put(test, 1, new byte[1]);
            final SinkClient three = new SinkClient(test.logOn(""));
            three.open("events", "three", "", 0);
            test.settle();
            assertThat(three.raw.errors).containsExactly(ErrorCode.LIMIT_REACHED);
            SinkClient.open(test, "events", "one");
            assertThat(one.raw.fatalErrors).containsExactly(ErrorCode.REPLACED);
            test.clients.get(test.clients.size() - 1).disconnect();
            test.settle();

            SinkClient.open(test, "events", "three").put(test, 1, new byte[1]);
        }
    }

    /** A producer whose blocks lie in memory that the broker reads. */
    private static final class Puller implements AutoCloseable {
        private final SinkClient client;
        private final LentMemory memory;

        private Puller(final TestBroker test) {
            client = new SinkClient(test.logOn(""));
            memory = client.raw.lend(PIECE);
            client.open("events", "puller", memory.key(), PIECE);
            test.await(() -> client.openedBlockId == 0);
        }

        private void offer(final long blockId, final byte[] block) {
            memory.buffer().putBytes(0, block);
            client.offer(blockId, 0, block.length, SinkClient.checksum(block));
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
