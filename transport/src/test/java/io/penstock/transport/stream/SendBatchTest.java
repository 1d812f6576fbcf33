package io.penstock.transport.stream;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.TransportCounters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendBatchTest {
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 20);
    private static final int GATHER_LENGTH_MIN = 1000;

    private final ChunkPool pool = new ChunkPool();
    private final TransportCounters counters = new TransportCounters();
    private final ByteArrayOutputStream expected = new ByteArrayOutputStream();

    @Test
    void shouldSendNothingBeforeItIsFlushedWhenFramesAreSmall() throws IOException {
        final FakeSocket socket = new FakeSocket(true);
        final SendBatch batch = batch(socket);
        add(batch, 10, 100);
        add(batch, 10, 200);
        assertThat(socket.taken.size()).isZero();

        batch.flush();

        assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(counters.sendCalls()).isEqualTo(1);
        assertThat(counters.bytesSent()).isEqualTo(expected.size());
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void shouldSendWithoutAskingWhenTheUnitOfSendingIsReached() throws IOException {
        final FakeSocket socket = new FakeSocket(true);
        final SendBatch batch = batch(socket);
        for (int i = 0; i < 66; i++) {
            add(batch, 100, 900);
        }
        assertThat(counters.sendCalls()).isEqualTo(1);
        assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 10_000, 65_536})
    void shouldSendInUnitsWhenTheyAreBounded(final int unit) throws IOException {
        for (final boolean canGather : new boolean[] {true, false}) {
            final FakeSocket socket = new FakeSocket(canGather);
            final SendBatch batch = batch(socket, unit);
            expected.reset();
            for (int i = 0; i < 20; i++) {
                add(batch, 20, 50_000 + 750 * i);
            }
            batch.flush();

            assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
            assertThat(counters.sendLengthMax()).isPositive().isLessThanOrEqualTo(unit);
            assertThat(batch.isEmpty()).isTrue();
        }
    }

    @Test
    void shouldKeepTheRestWhenTheKernelIsFullInTheMiddleOfUnits() throws IOException {
        final FakeSocket socket = new FakeSocket(true);
        final SendBatch batch = batch(socket, 1024);
        socket.room = 5000;
        add(batch, 20, 60_000);
        batch.flush();
        assertThat(batch.isBlocked()).isTrue();

        socket.room = Integer.MAX_VALUE;
        batch.flush();

        assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(batch.isBlocked()).isFalse();
    }

    @Test
    void shouldNotCopyTheBodyWhenItIsLongAndTheSocketCanGather() throws IOException {
        final FakeSocket socket = new FakeSocket(true);
        final SendBatch batch = batch(socket);
        add(batch, 20, 50_000);

        assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(counters.bytesCopied()).isEqualTo(20);
        assertThat(pool.lentCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 23, 24, 25, 49_999, 50_000, 50_023})
    void shouldKeepTheRestWhenTheKernelTakesOnlySoMuch(final int room) throws IOException {
        for (final boolean canGather : new boolean[] {true, false}) {
            expected.reset();
            final FakeSocket socket = new FakeSocket(canGather);
            socket.room = room;
            final SendBatch batch = batch(socket);
            add(batch, 20, 50_000);
            batch.flush();
            assertThat(batch.isBlocked()).isTrue();
            assertThat(socket.taken.size()).isEqualTo(room);

            socket.room = Integer.MAX_VALUE;
            batch.flush();

            assertThat(batch.isBlocked()).isFalse();
            assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
            assertThat(pool.lentCount()).isZero();
        }
    }

    @Test
    void shouldTakeAsMuchMemoryAsItNeedsWhenManyConnectionsHaveAFewBytesEach() throws IOException {
        final int connectionCount = ChunkPool.KEPT_LENGTH_MAX / 1024;
        final FakeSocket socket = new FakeSocket(true);
        final SendBatch[] batches = new SendBatch[connectionCount];
        for (int i = 0; i < connectionCount; i++) {
            batches[i] = batch(socket);
            add(batches[i], 30, 200);
        }
        assertThat(pool.lentCount()).isEqualTo(connectionCount);
        for (final SendBatch batch : batches) {
            batch.flush();
        }
        // All of it was kept, so that the same ones need no more.
        assertThat(pool.keptLength()).isEqualTo(ChunkPool.KEPT_LENGTH_MAX);
    }

    @Test
    void shouldNotMoveItsBytesWhenItHasNeededAsManyBefore() throws IOException {
        final SendBatch batch = batch(new FakeSocket(true));
        for (int i = 0; i < 50; i++) {
            add(batch, 100, 800);
        }
        batch.flush();
        final long moved = counters.bytesCopied() - 50 * 900;
        assertThat(moved).as("it grew at first").isPositive();

        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 50; i++) {
                add(batch, 100, 800);
            }
            batch.flush();
        }

        assertThat(counters.bytesCopied()).isEqualTo(moved + 200 * 900);
    }

    @Test
    void shouldGiveItsMemoryBackWhenReleased() throws IOException {
        final SendBatch batch = batch(new FakeSocket(true));
        add(batch, 10, 100);
        assertThat(pool.lentCount()).isEqualTo(1);

        batch.release();

        assertThat(pool.lentCount()).isZero();
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void shouldSendEveryByteInOrderWhenLengthsAndRoomAreRandom() throws IOException {
        for (int seed = 0; seed < SEED_COUNT; seed++) {
            expected.reset();
            final Random random = new Random(seed);
            final FakeSocket socket = new FakeSocket(random.nextBoolean());
            final SendBatch batch = batch(socket);
            for (int i = 0; i < 200; i++) {
                socket.room = random.nextInt(4) == 0 ? random.nextInt(100_000) : 1_000_000;
                if (batch.isBlocked() || random.nextInt(10) == 0) {
                    batch.flush();
                } else {
                    final int header = random.nextInt(100);
                    add(batch, header, random.nextInt(random.nextBoolean() ? 200 : SendBatch.PART_LENGTH_MAX - header));
                }
            }
            socket.room = Integer.MAX_VALUE;
            batch.flush();
            assertThat(socket.taken.toByteArray()).as("seed %d", seed).isEqualTo(expected.toByteArray());
            assertThat(socket.longestWrite).as("seed %d", seed).isLessThanOrEqualTo(SendBatch.CAPACITY);
            assertThat(pool.lentCount()).isZero();
        }
    }

    private SendBatch batch(final FakeSocket socket) {
        return batch(socket, StreamMedium.UNBOUNDED);
    }

    private SendBatch batch(final FakeSocket socket, final int sendLengthMax) {
        return new SendBatch(pool, socket, counters, GATHER_LENGTH_MIN, sendLengthMax);
    }

    private void add(final SendBatch batch, final int headerLength, final int bodyLength) throws IOException {
        final byte[] bytes = new byte[headerLength + bodyLength];
        new Random(headerLength + bodyLength).nextBytes(bytes);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        batch.add(bytes.length, buffer, 0, headerLength, buffer, headerLength, bodyLength);
        expected.writeBytes(
                ByteBuffer.allocate(4).order(LITTLE_ENDIAN).putInt(bytes.length).array());
        expected.writeBytes(bytes);
        // The bytes are the caller's again.
        buffer.setMemory(0, bytes.length, (byte) 0xEE);
    }
}
