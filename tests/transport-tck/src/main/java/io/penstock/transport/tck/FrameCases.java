package io.penstock.transport.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames arrive as they were sent. */
abstract class FrameCases extends TckSupport {
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 3);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65535, 65536, 65537, FrameSource.LENGTH_MAX})
    public void shouldDeliverFrameInBothDirectionsWhenLengthIs(final int length) throws IOException {
        final Link link = connect();

        transfer(
                link.toServer().frame(length).frame(3),
                link.toClient().frame(length).frame(3));

        assertThat(link.toServer().receivedCount()).isEqualTo(2);
        assertThat(link.toClient().receivedCount()).isEqualTo(2);
    }

    @Test
    public void shouldDeliverFrameWhenItLiesInMemoryOutsideOfTheHeap() throws IOException {
        final DirectBuffer heap = FrameSource.bytes();
        final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(heap.capacity()));
        memory.putBytes(0, heap, 0, heap.capacity());
        final Link link = connect();
        final Flow flow = new Flow(link.client(), memory);
        server().flowByConnection.put(link.server(), flow);

        for (final int length : new int[] {0, 1, 100, 4096, 30_000, 65_536, 65_537, 1_000_000}) {
            flow.frames(20, length);
        }
        transfer(flow);
    }

    @Test
    public void shouldKeepOrderWhenLengthsAreMixed() throws IOException {
        for (int seed = 0; seed < SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            final Link link = connect();
            for (int i = 0; i < 3000; i++) {
                link.toServer().frame(mixedLength(random));
                link.toClient().frame(mixedLength(random));
            }
            try {
                transfer(link.toServer(), link.toClient());
            } catch (final AssertionError ex) {
                throw new AssertionError("seed " + seed, ex);
            }
        }
    }

    private static int mixedLength(final Random random) {
        final int kind = random.nextInt(100);
        if (kind < 80) {
            return random.nextInt(300);
        } else if (kind < 95) {
            return random.nextInt(20_000);
        }
        return random.nextInt(200_000);
    }

    @Test
    public void shouldKeepFramesApartWhenSeveralConnectionsSendLongOnesAtOnce() throws IOException {
        final Flow[] flows = new Flow[8];
        for (int i = 0; i < flows.length; i++) {
            flows[i] = connect().toServer();
            flows[i].frames(4, 1_000_000 + i);
        }

        pollUntil("all arrived", () -> {
            boolean isDone = true;
            for (final Flow flow : flows) {
                if (!flow.isSent()) {
                    flow.sendPart();
                }
                isDone &= flow.isDone();
            }
            return isDone;
        });
    }

    @Test
    public void shouldAnswerWhenHandlerOffersWhatItGets() throws IOException {
        final Link link = connect();
        final ArrayDeque<byte[]> answers = new ArrayDeque<>();
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) ->
                connection.offer(buffer, offset, 4, buffer, offset + 4, length - 4, 0) >= 0;
        client().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            return answers.add(bytes);
        };
        final UnsafeBuffer question = new UnsafeBuffer(new byte[100]);
        for (int i = 0; i < 1000; i++) {
            question.putInt(50, i);
            assertThat(link.client().offer(question, 0, 0, question, 0, 100, 0)).isPositive();
            final int count = i + 1;
            pollUntil("answered", () -> answers.size() == count);
            assertThat(new UnsafeBuffer(answers.getLast()).getInt(50)).isEqualTo(i);
        }
    }

    @Test
    public void shouldSendWhatWasOfferedWhenTheSenderOnlyWaits() throws IOException {
        final Link link = connect();
        link.toServer().frames(10, 100).send();

        client().transport().await(1);

        final long startNs = System.nanoTime();
        while (!link.toServer().isDone() && System.nanoTime() - startNs < DEADLINE_NS) {
            server().poll();
        }
        assertThat(link.toServer().isDone()).isTrue();
    }

    @Test
    public void shouldNotNeedTheBodyAnyMoreWhenItsPositionIsCompleted() throws IOException {
        final int slotCount = 4;
        final Link link = connect();
        final Connection sender = link.client();
        final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(slotCount * sender.bestSendLength()));
        final long[] positions = new long[slotCount];
        final List<Integer> received = new ArrayList<>();
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            final byte number = (byte) received.size();
            assertThat(new UnsafeBuffer(buffer, offset, length)).isEqualTo(filled(length, number));
            return received.add(length);
        };

        final int[] sent = {0};
        pollUntil("all arrived", () -> {
            final int slot = sent[0] % slotCount;
            if (sent[0] < 500 && sender.completedPosition() >= positions[slot]) {
                final int length = 1 + (sent[0] * 7919) % sender.bestSendLength();
                final int offset = slot * sender.bestSendLength();
                memory.setMemory(offset, length, (byte) sent[0]);
                final long position = sender.offer(memory, 0, 0, memory, offset, length, 0);
                if (position > 0) {
                    positions[slot] = position;
                    sent[0]++;
                }
                scribbleOverCompleted(memory, positions, sender);
            }
            return received.size() == 500;
        });
    }

    private static void scribbleOverCompleted(
            final UnsafeBuffer memory, final long[] positions, final Connection sender) {
        for (int slot = 0; slot < positions.length; slot++) {
            if (sender.completedPosition() >= positions[slot]) {
                memory.setMemory(slot * sender.bestSendLength(), sender.bestSendLength(), (byte) 0xEE);
            }
        }
    }

    private static UnsafeBuffer filled(final int length, final byte value) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        buffer.setMemory(0, length, value);
        return buffer;
    }

    @Test
    public void shouldDeliverFramesWhereverTheyAreCutBehindTheirStart() throws IOException {
        for (int seed = 0; seed < SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            final Link link = connect();
            link.toServer().cutBy(random);
            for (int i = 0; i < 50; i++) {
                link.toServer()
                        .frame(mixedLength(random))
                        .frame(TransportContext.FRAGMENT_LENGTH_MIN + random.nextInt(50_000));
            }
            transfer(link.toServer());
        }
    }

    @Test
    public void shouldRefuseThePartWhenItIsLongerThanBestSendLength() throws IOException {
        final Connection sender = connect().client();
        assertThat(sender.bestSendLength()).isGreaterThanOrEqualTo(TransportContext.FRAGMENT_LENGTH_MIN);
        final DirectBuffer bytes = FrameSource.bytes();

        assertThatThrownBy(() -> sender.offer(bytes, 0, 1, bytes, 0, sender.bestSendLength(), 0))
                .isInstanceOf(IllegalArgumentException.class);
        final int start = TransportContext.FRAGMENT_LENGTH_MIN;
        assertThatThrownBy(() -> sender.offer(bytes, 0, 10, bytes, 0, start - 11, start))
                .as("a part that does not hold the start of its frame")
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sender.offer(bytes, 0, 0, bytes, 0, 1, 1))
                .as("a part of a frame that fits one")
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sender.offer(bytes, 0, 0, bytes, 0, 0, 10))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sender.offer(bytes, 0, 0, bytes, 0, 10, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sender.offer(bytes, 0, 0, bytes, 0, 10, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
