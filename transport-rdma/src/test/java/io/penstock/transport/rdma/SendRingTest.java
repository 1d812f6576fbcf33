package io.penstock.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.rdma.verbs.Completions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is put into slots, and the ids of what is posted; the peer has slots for all of it. */
class SendRingTest {
    private static final int SLOT_COUNT = 8;
    private static final int OWED = 3;
    private static final byte OLD = 0x55;

    private final FakeFabric fabric = new FakeFabric(1);
    private final FakeEndpoint endpoint = new FakeEndpoint(
            fabric,
            new FakeVerbs(fabric),
            new InetSocketAddress(FakeFabric.local(), 1),
            new InetSocketAddress(FakeFabric.local(), 2));
    private UnsafeBuffer memory;
    private SendRing ring;

    @BeforeEach
    void open() throws IOException {
        final MemoryRegistrar registrar = new MemoryRegistrar(fabric, Long.MAX_VALUE, () -> 0);
        final BlockPool pool = new BlockPool(registrar, Link.blockLength(SLOT_COUNT));
        final Link link = new Link(endpoint, SLOT_COUNT);
        link.memory(pool, pool.take());
        link.peerSlotCount(SLOT_COUNT);
        endpoint.open(Link.sendCapacity(SLOT_COUNT), SLOT_COUNT, 0);
        memory = new UnsafeBuffer(link.block().address(), link.block().length());
        memory.setMemory(0, memory.capacity(), OLD);
        ring = new SendRing(new Scratch(), link, memory);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, Chunks.PART_LENGTH_MAX - 1, Chunks.PART_LENGTH_MAX})
    void shouldSendNothingOfOthersWhenARecordIsFilledUp(final int length) {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 7);
        final UnsafeBuffer frame = new UnsafeBuffer(bytes);

        assertThat(ring.write(frame, 0, length, frame, 0, 0, length, 0)).isEqualTo(length);

        final int record = SLOT_COUNT * Chunks.SLOT_LENGTH + Chunks.PREAMBLE_LENGTH;
        final int end = record + Chunks.recordLength(length);
        assertThat(memory.getInt(record + Chunks.PART_OFFSET)).isEqualTo(length);
        assertThat(memory.getInt(record + Chunks.FRAME_OFFSET)).isEqualTo(length);
        for (int i = record + Chunks.HEADER_LENGTH; i < end; i++) {
            final boolean isPadding = i >= record + Chunks.HEADER_LENGTH + length;
            assertThat(memory.getByte(i)).as("byte %d", i).isEqualTo(isPadding ? 0 : (byte) 7);
        }
        assertThat(memory.getByte(end)).isEqualTo(OLD);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, Link.CONTROL_COUNT})
    void shouldHaveAnIdOfItsOwnWhenTheLastChunkFollowsCredits(final int count) {
        for (int i = 0; i < count; i++) {
            assertThat(ring.postControl(OWED)).isTrue();
        }

        final long last = ring.postLast(OWED);

        final List<Long> ids = postedIds();
        assertThat(ids).hasSize(count + 1);
        assertThat(ids.subList(0, count)).doesNotContain(last);
        assertThat(ids.get(count)).isEqualTo(last);
        final int controlOffset = 2 * SLOT_COUNT * Chunks.SLOT_LENGTH;
        for (int i = 0; i < count; i++) {
            final int chunk = controlOffset + i * Link.CONTROL_LENGTH;
            assertThat(memory.getInt(chunk + Chunks.FLAGS_OFFSET)).isZero();
        }
        assertThat(memory.getInt(controlOffset + Chunks.PREAMBLE_LENGTH + Chunks.FLAGS_OFFSET))
                .isEqualTo(Chunks.LAST);
        assertThat(memory.getInt(controlOffset + Chunks.PREAMBLE_LENGTH + Chunks.CREDITS_OFFSET))
                .isEqualTo(OWED);
    }

    @Test
    void shouldHaveTheSameIdWhenThereIsNoCreditForTheLastChunk() {
        assertThat(ring.onCredits(-SLOT_COUNT, SLOT_COUNT)).isFalse();

        final long last = ring.postLast(OWED);

        assertThat(postedIds()).containsExactly(last);
        assertThat(SendRing.isReceive(last) || SendRing.isRead(last)).isFalse();
    }

    /** The peer is not there, so that each completes at once. */
    private List<Long> postedIds() {
        final Completions completions = new Completions(SLOT_COUNT);
        final int count = endpoint.poll(completions);
        final List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(completions.id(i));
        }
        return ids;
    }
}
