package io.penstock.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies that are sent from where they are, out of memory that the transport has prepared. */
@Timeout(60)
class BodiesTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_125L);
    private static final RdmaConfig CONFIG = new RdmaConfig(RdmaConfig.AUTO, 8, 256L * 1024 * 1024, 0);
    private static final int MEMORY_LENGTH = 1024 * 1024;
    private static final int HEADER_LENGTH = 28;

    private final FakeFabric fabric = new FakeFabric(5);
    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(MEMORY_LENGTH));
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER_LENGTH]);
    private Party sender;
    private Party receiver;
    private Connection connection;

    @BeforeEach
    void connect() throws IOException {
        final byte[] bytes = new byte[MEMORY_LENGTH];
        new Random(3).nextBytes(bytes);
        memory.putBytes(0, bytes);
        sender = new Party(fabric, CONFIG, 5000);
        receiver = new Party(fabric, CONFIG, 5000);
        sender.transport.prepareBodies(memory);
        connection = sender.transport.connect(receiver.listen());
        while (receiver.connections.isEmpty()) {
            receiver.transport.poll(1);
        }
    }

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
    }

    /** Offers a body, polling until it is taken. */
    private long offer(final DirectBuffer body, final int offset, final int length) {
        long position;
        while ((position = connection.offer(header, 0, HEADER_LENGTH, body, offset, length, 0)) < 0) {
            sender.transport.poll(10);
            receiver.transport.poll(10);
        }
        return position;
    }

    @Test
    void shouldCopyNoBodyOfRegisteredMemoryFromAPageOn() {
        offer(memory, 0, Chunks.BODY_LENGTH_MIN);
        assertThat(sender.counters.bytesCopied()).isEqualTo(HEADER_LENGTH);

        offer(memory, 0, Chunks.BODY_LENGTH_MIN - 1);
        assertThat(sender.counters.bytesCopied()).isEqualTo(2L * HEADER_LENGTH + Chunks.BODY_LENGTH_MIN - 1);

        offer(new UnsafeBuffer(ByteBuffer.allocateDirect(8192)), 0, 8192);
        offer(new UnsafeBuffer(new byte[8192]), 0, 8192);
        assertThat(sender.counters.bytesCopied()).isEqualTo(4L * HEADER_LENGTH + Chunks.BODY_LENGTH_MIN - 1 + 2 * 8192);
    }

    @Test
    void shouldNeedABodyUntilItIsKnownToBeSent() {
        final long before = connection.completedPosition();
        final long position = offer(memory, 0, 10_000);
        final long behind = offer(header, 0, 10);

        assertThat(connection.completedPosition()).isEqualTo(before);
        while (connection.completedPosition() < behind) {
            sender.transport.poll(10);
            receiver.transport.poll(10);
        }
        assertThat(before).isLessThan(position);
        assertThat(sender.errors).isEmpty();
    }

    /** Also with completions that come late. */
    @Test
    void shouldBringEveryByteInOrderWhenBodiesAndCopiesMix() {
        fabric.lateness = 3;
        final Random random = new Random(SEED);
        final ArrayDeque<byte[]> expected = new ArrayDeque<>();
        receiver.check = (buffer, offset, length) -> {
            final byte[] frame = expected.remove();
            assertThat(length).isEqualTo(frame.length);
            assertThat(new UnsafeBuffer(buffer, offset, length)).isEqualTo(new UnsafeBuffer(frame));
        };
        for (int i = 0; i < 2_000; i++) {
            final int length = random.nextInt(3) == 0 ? random.nextInt(100) : random.nextInt(60_000);
            final int offset = random.nextInt(MEMORY_LENGTH - length);
            random.nextBytes(header.byteArray());
            final byte[] frame = new byte[HEADER_LENGTH + length];
            header.getBytes(0, frame, 0, HEADER_LENGTH);
            memory.getBytes(offset, frame, HEADER_LENGTH, length);
            expected.add(frame);
            final long position = offer(memory, offset, length);
            assertThat(connection.completedPosition()).isLessThanOrEqualTo(position);
        }
        while (!expected.isEmpty()) {
            sender.transport.poll(10);
            receiver.transport.poll(10);
        }
        assertThat(sender.errors).isEmpty();
        assertThat(receiver.reasons).isEmpty();
    }

    @Test
    void shouldSendAllBodiesBeforeItIsClosed() {
        for (int i = 0; i < 4; i++) {
            offer(memory, 0, 20_000);
        }

        connection.close();
        memory.setMemory(0, MEMORY_LENGTH, (byte) 0);

        final int firstLong = 20_000 / Long.BYTES * Long.BYTES;
        receiver.check = (buffer, offset, length) -> assertThat(buffer.getLong(offset + HEADER_LENGTH + firstLong - 8))
                .isNotZero();
        while (receiver.reasons.isEmpty()) {
            receiver.transport.poll(10);
            sender.transport.poll(10);
        }
        assertThat(receiver.receivedCount).isEqualTo(4);
    }

    /** Its memory is used again when the connection is closed. */
    @Test
    void shouldLeaveThePeerWhenBodiesAreNotKnownToBeSentInTime() {
        fabric.lateness = Integer.MAX_VALUE - 1;
        offer(memory, 0, 20_000);
        final long position = offer(memory, 0, 20_000);
        sender.transport.poll(1);
        assertThat(connection.completedPosition()).isLessThan(position);

        connection.close();

        assertThat(fabric.endpoints.get(0).isBroken()).isTrue();
        fabric.lateness = 0;
        assertThat(sender.errors).isEmpty();
    }

    @Test
    void shouldRegisterOnceForAllConnections() throws IOException {
        final int before = fabric.registrationCount();
        // As many as one slab has blocks for.
        for (int i = 0; i < 2; i++) {
            sender.transport.connect(receiver.listen());
        }

        assertThat(fabric.registrationCount()).isEqualTo(before);
    }

    @Test
    void shouldCopyAndSaySoWhenItCannotBeRegistered() throws IOException {
        final RdmaConfig small = new RdmaConfig(RdmaConfig.AUTO, 8, 3 * 1024 * 1024, 0);
        final FakeFabric other = new FakeFabric(6);
        try (Party poor = new Party(other, small, 5000);
                Party rich = new Party(other, CONFIG, 5000)) {
            poor.transport.prepareBodies(new UnsafeBuffer(ByteBuffer.allocateDirect(4 * 1024 * 1024)));
            final UnsafeBuffer body = new UnsafeBuffer(ByteBuffer.allocateDirect(8192));
            final Connection copying = poor.transport.connect(rich.listen());

            assertThat(copying.offer(header, 0, HEADER_LENGTH, body, 0, 8192, 0))
                    .isPositive();
            poor.transport.poll(10);

            assertThat(poor.counters.bytesCopied()).isEqualTo(HEADER_LENGTH + 8192);
            assertThat(poor.errors)
                    .singleElement()
                    .extracting(Throwable::getMessage)
                    .asString()
                    .contains("messages are copied before they are sent")
                    .contains("(raise penstock.rdma.memory to 8388608 or more)");
        }
    }
}
