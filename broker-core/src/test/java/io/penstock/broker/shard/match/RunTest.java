package io.penstock.broker.shard.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.transport.TransportContext;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.ControlledMessageHandler;
import org.junit.jupiter.api.Test;

class RunTest {
    private final Run run = new Run();
    private final DescriptorRing ring = new DescriptorRing(1024, new ReadyBits(1, () -> {}), 0);
    private final List<String> read = new ArrayList<>();

    private void readAll() {
        ring.read(
                (type, buffer, index, length) -> {
                    read.add(type + " of " + Descriptor.subscription(buffer, index) + " at "
                            + Descriptor.position(buffer, index) + ", " + Descriptor.runLength(buffer, index)
                            + " bytes, "
                            + Descriptor.recordCount(buffer, index) + " records of topic "
                            + Descriptor.topicId(buffer, index) + ", kind " + Descriptor.kind(buffer, index)
                            + ", shard " + Descriptor.shard(buffer, index) + ", sequence "
                            + Descriptor.sequence(buffer, index));
                    return ControlledMessageHandler.Action.CONTINUE;
                },
                100);
    }

    @Test
    void shouldGrowByAdjacentRecordsOfOneTopicAndKind() {
        assertThat(run.add(1000, 64, 7, true, 2)).isTrue();
        run.startSequence(55);
        assertThat(run.add(1064, 128, 7, false, 2)).isTrue();

        assertThat(run.add(1200, 64, 7, false, 2)).as("a gap").isFalse();
        assertThat(run.add(1192, 64, 8, false, 2)).as("another topic").isFalse();
        assertThat(run.add(1192, 64, 7, false, 0)).as("another kind").isFalse();
        assertThat(run.add(1192, 64, 7, true, 2)).as("another segment").isFalse();

        assertThat(run.flush(ring, 3, 1)).isTrue();
        assertThat(run.isEmpty()).isTrue();
        readAll();
        assertThat(read)
                .containsExactly(Descriptor.TYPE_RUN
                        + " of 3 at 1000, 192 bytes, 2 records of topic 7, kind 2, shard 1, sequence 55");
    }

    @Test
    void shouldNotOutgrowTheUnitOfATransportUnlessItIsOneRecord() {
        final int length = 1024;
        long position = 0;
        while (run.add(position, length, 1, false)) {
            position += length;
        }
        assertThat(run.end() - run.start())
                .isBetween(
                        TransportContext.FRAGMENT_LENGTH_MIN - 256L - length,
                        TransportContext.FRAGMENT_LENGTH_MIN - 256L);
        assertThat(run.room()).isLessThan(length);
        run.clear();

        assertThat(run.add(0, 1 << 20, 1, false)).isTrue();
        assertThat(run.room()).isZero();
        assertThat(run.add(1 << 20, 64, 1, false)).isFalse();
    }

    @Test
    void shouldTakeBytesAlongThatReceiversSkip() {
        run.add(0, 64, 1, false);
        run.pad(64, 32);
        assertThat(run.add(96, 64, 1, false)).isTrue();
        run.pad(500, 32);
        assertThat(run.end()).isEqualTo(160);
    }

    @Test
    void shouldStayAsItIsWhenTheRingIsFull() {
        while (ring.offer(Descriptor.TYPE_LIVE, 1, 0, 0, 0)) {
            // Until there is no room.
        }
        run.add(0, 64, 1, false);

        assertThat(run.flush(ring, 9, 0)).isFalse();
        assertThat(run.isEmpty()).isFalse();
        readAll();
        read.clear();
        assertThat(run.flush(ring, 9, 0)).isTrue();
        readAll();
        assertThat(read).hasSize(1).first().asString().contains("of 9 at 0, 64 bytes, 1 records");
    }
}
