package io.penstock.broker.journal.record;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumBatchTest {
    private static final int START = 16;
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final AlignedBuffer memory = new AlignedBuffer(64 * 1024);
    private final UnsafeBuffer buffer = memory.buffer();
    private final RecordChecksum checksum = new RecordChecksum();
    private final ChecksumBatch batch = new ChecksumBatch();
    private final Random random = new Random(7);
    private int end = START;
    private long nextSequence = 1;

    @AfterEach
    void free() {
        memory.free();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 100})
    void shouldFindRecordsGoodWhateverFollowsThem(final int payloadLength) {
        for (int i = 0; i < 50; i++) {
            append(payloadLength);
        }
        final byte[] before = all();
        assertThat(check()).isEqualTo(end);
        assertThat(all()).as("bytes are as they were").isEqualTo(before);
    }

    @Test
    void shouldFindNothingGoodWhenAnyBitIsFlipped() {
        final List<Integer> starts = new ArrayList<>();
        for (int length = 0; length < 12; length++) {
            starts.add(end);
            append(length);
        }
        // Nobody checks padding after the last one.
        starts.add(end);
        append(16);
        int mistaken = 0;
        for (int at = START; at < end; at++) {
            for (int bit = 0; bit < 8; bit++) {
                final byte present = buffer.getByte(at);
                buffer.putByte(at, (byte) (present ^ (1 << bit)));
                final byte[] before = all();
                final int good = check();
                assertThat(all()).isEqualTo(before);
                // What is in front of a header that is no header may be good.
                assertThat(starts).as("byte %s, bit %s", at, bit).contains(good);
                mistaken += good > at ? 1 : 0;
                buffer.putByte(at, present);
            }
        }
        assertThat(mistaken).isZero();
        assertThat(check()).isEqualTo(end);
    }

    @Test
    void shouldFindNothingGoodWhenTwoRecordsHaveEachOthersBytes() {
        append(100);
        append(100);
        final byte first = buffer.getByte(START + HEADER_LENGTH);
        final int second = START + RecordDescriptor.alignedLength(HEADER_LENGTH + 100);
        buffer.putByte(START + HEADER_LENGTH, buffer.getByte(second + HEADER_LENGTH));
        buffer.putByte(second + HEADER_LENGTH, first);
        assertThat(check()).isEqualTo(START);
    }

    @Test
    void shouldEndWhereRecordsEnd() {
        append(8);
        append(8);
        final int third = end;
        append(8);
        assertThat(check(end - 1, NO_LIMIT, NO_LIMIT))
                .as("the third is cut off")
                .isEqualTo(third);
        assertThat(check(end, third - START + 8, NO_LIMIT)).as("the file ends").isEqualTo(third);
        assertThat(check(end, NO_LIMIT, 2)).as("not written yet").isEqualTo(third);
        assertThat(check(START + 10, NO_LIMIT, NO_LIMIT)).isEqualTo(START);
        assertThat(check(end, NO_LIMIT, 0)).isEqualTo(START);
    }

    @Test
    void shouldTakeNoMoreThanItsBound() {
        while (end + 200 < buffer.capacity()) {
            append(random.nextInt(150));
        }
        final int good = check();
        assertThat(good - START).isBetween(ChecksumBatch.LENGTH_MAX - 200, ChecksumBatch.LENGTH_MAX);
    }

    @Test
    void shouldLeaveALongRecordToOthers() {
        append(ChecksumBatch.LENGTH_MAX);
        assertThat(check()).isEqualTo(START);
    }

    private int check() {
        return check(end, NO_LIMIT, NO_LIMIT);
    }

    private int check(final int available, final long room, final long limit) {
        return batch.goodEnd(buffer, memory.bytes(), START, available, Math.min(room, 1L << 40), 1, limit, 0);
    }

    private byte[] all() {
        final byte[] all = new byte[buffer.capacity()];
        buffer.getBytes(0, all);
        return all;
    }

    private void append(final int payloadLength) {
        final int length = HEADER_LENGTH + payloadLength;
        final byte[] payload = new byte[payloadLength];
        random.nextBytes(payload);
        buffer.putInt(end, length);
        buffer.putByte(end + RecordDescriptor.TYPE_OFFSET, (byte) RecordDescriptor.TYPE_MESSAGE);
        buffer.putLong(end + RecordDescriptor.SEQUENCE_OFFSET, nextSequence++);
        buffer.putInt(end + RecordDescriptor.EPOCH_OFFSET, 1);
        buffer.putBytes(end + HEADER_LENGTH, payload);
        buffer.putInt(
                end + RecordDescriptor.CHECKSUM_OFFSET,
                checksum.compute(memory.bytes().clear(), end, length));
        end += RecordDescriptor.alignedLength(length);
    }
}
