package io.penstock.transport.stream;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {
    private static final int FRAME_LENGTH_MAX = 300_000;
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 20);
    private static final int FIRST_CUT_COUNT = 256;
    private static final int RANDOM_CUT_COUNT = 200;

    private final Collector collector = new Collector();
    private final FrameReader reader = new FrameReader(collector, FRAME_LENGTH_MAX);

    /** Each row: the lengths of what arrives, cut out of frames of 3, 0 and 5 bytes; the frames complete after each. */
    @ParameterizedTest
    @CsvSource({
        "20, 3",
        "3 17, 0 3",
        "4 16, 0 3",
        "6 14, 0 3",
        "7 13, 1 3",
        "10 10, 1 3",
        "11 9, 2 3",
        "14 6, 2 3",
        "19 1, 2 3",
        "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1, 0 0 0 0 0 0 1 1 1 1 2 2 2 2 2 2 2 2 2 3"
    })
    void shouldFindFramesWhereverTheStreamIsCut(final String pieces, final String counts) {
        final byte[] stream = stream(new byte[] {1, 2, 3}, new byte[0], new byte[] {4, 5, 6, 7, 8});
        final Pieces source = new Pieces(stream);
        final List<String> seen = new ArrayList<>();
        for (final String piece : pieces.split(" ", -1)) {
            source.feed(reader, Integer.parseInt(piece));
            seen.add(String.valueOf(collector.frames.size()));
        }
        assertThat(String.join(" ", seen)).isEqualTo(counts);
        assertThat(collector.frames).containsExactly(new byte[] {1, 2, 3}, new byte[0], new byte[] {4, 5, 6, 7, 8});
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, FRAME_LENGTH_MAX + 1, Integer.MAX_VALUE})
    void shouldStopForGoodWhenALengthIsOutOfRange(final int length) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[100]);
        buffer.putInt(0, length, LITTLE_ENDIAN);

        assertThat(reader.read(buffer, 0, 100)).isZero();

        assertThat(reader.isBad()).isTrue();
        assertThat(reader.badLength()).isEqualTo(length);
        assertThat(reader.consumed()).isZero();
        buffer.putInt(0, 1, LITTLE_ENDIAN);
        assertThat(reader.read(buffer, 0, 100)).isZero();
    }

    @Test
    void shouldTakeTheLongestFrameWhenItIsAllowed() {
        final byte[] frame = new byte[FRAME_LENGTH_MAX];
        final byte[] stream = stream(frame);
        new Pieces(stream).feed(reader, stream.length);

        assertThat(collector.frames).containsExactly(frame);
        assertThat(collector.longestFragment).isEqualTo(FrameReader.FRAGMENT_LENGTH);
    }

    @Test
    void shouldOfferTheSameFragmentAgainWhenItWasRefused() {
        final byte[] stream = stream(new byte[] {1, 2, 3}, new byte[] {4});
        final UnsafeBuffer buffer = new UnsafeBuffer(stream);
        collector.refuseCount = 2;

        assertThat(reader.read(buffer, 0, stream.length)).isZero();
        assertThat(reader.isRefused()).isTrue();
        assertThat(reader.consumed()).isZero();
        assertThat(reader.read(buffer, 0, stream.length)).isZero();
        assertThat(reader.read(buffer, 0, stream.length)).isEqualTo(2);

        assertThat(reader.isRefused()).isFalse();
        assertThat(reader.consumed()).isEqualTo(stream.length);
        assertThat(collector.frames).containsExactly(new byte[] {1, 2, 3}, new byte[] {4});
    }

    @Test
    void shouldCountTheFragmentAsConsumedAndTheRestAsRefusedWhenTheSinkThrows() {
        final byte[] stream = stream(new byte[] {1, 2, 3}, new byte[] {4});
        final UnsafeBuffer buffer = new UnsafeBuffer(stream);
        collector.isThrowing = true;

        assertThatThrownBy(() -> reader.read(buffer, 0, stream.length)).isInstanceOf(IllegalStateException.class);

        assertThat(reader.consumed()).isEqualTo(7);
        assertThat(reader.isRefused()).isTrue();
        assertThat(reader.read(buffer, reader.consumed(), stream.length)).isEqualTo(1);
    }

    @Test
    void shouldDeliverNothingMoreWhenTheSinkStopsIt() {
        final byte[] stream = stream(new byte[] {1}, new byte[] {2});
        final List<Integer> lengths = new ArrayList<>();
        final FrameReader[] stopped = new FrameReader[1];
        stopped[0] = new FrameReader(
                (buffer, offset, length, frameOffset, frameLength) -> {
                    stopped[0].stop();
                    return lengths.add(length);
                },
                10);

        stopped[0].read(new UnsafeBuffer(stream), 0, stream.length);

        assertThat(lengths).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 65_535, 65_536, 65_537, 200_000})
    void shouldDeliverTheStartOfAFrameTogetherWhereverItIsCut(final int frameLength) {
        final Random random = new Random(frameLength);
        final byte[] frame = new byte[frameLength];
        random.nextBytes(frame);
        final byte[] stream = stream(frame);
        for (int i = 0; i < FIRST_CUT_COUNT + RANDOM_CUT_COUNT; i++) {
            final int cut = i < FIRST_CUT_COUNT ? Math.min(i, stream.length) : random.nextInt(stream.length);
            final Collector seen = new Collector();
            final FrameReader tested = new FrameReader(seen, FRAME_LENGTH_MAX);
            final Pieces pieces = new Pieces(stream);
            pieces.feed(tested, cut);
            pieces.feed(tested, stream.length - cut);
            assertThat(seen.frames).as("cut at %d", cut).hasSize(1);
            assertThat(seen.frames.get(0)).as("cut at %d", cut).isEqualTo(frame);
        }
    }

    @Test
    void shouldFindTheFramesOfAnyStreamWhenPiecesAndRefusalsAreRandom() {
        for (int seed = 0; seed < SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            final List<byte[]> frames = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                final byte[] frame = new byte[random.nextInt(random.nextInt(8) == 0 ? 200_000 : 100)];
                random.nextBytes(frame);
                frames.add(frame);
            }
            final Collector seen = new Collector();
            final FrameReader tested = new FrameReader(seen, FRAME_LENGTH_MAX);
            final Pieces pieces = new Pieces(stream(frames.toArray(new byte[0][])));
            while (!pieces.isAtEnd()) {
                seen.refuseCount = random.nextInt(3) == 0 ? 1 : 0;
                pieces.feed(tested, random.nextInt(random.nextInt(4) == 0 ? 20 : 20_000));
            }
            seen.refuseCount = 0;
            pieces.feed(tested, 0);
            assertThat(seen.frames).as("seed %d", seed).hasSameSizeAs(frames);
            for (int i = 0; i < frames.size(); i++) {
                assertThat(seen.frames.get(i)).as("seed %d, frame %d", seed, i).isEqualTo(frames.get(i));
            }
            assertThat(pieces.leftOver()).as("seed %d", seed).isZero();
        }
    }

    @FuzzTest
    void shouldAgreeWithTheModelWhateverArrives(final byte[] input) {
        final int pieceLength = input.length == 0 ? 1 : 1 + (input[0] & 0xFF);
        final int limit = 1000;
        final Collector seen = new Collector();
        final FrameReader tested = new FrameReader(seen, limit);
        final Pieces pieces = new Pieces(input);
        while (!pieces.isAtEnd()) {
            pieces.feed(tested, pieceLength);
        }

        final List<byte[]> expected = new ArrayList<>();
        assertThat(tested.isBad()).isEqualTo(model(input, limit, expected));
        assertThat(seen.frames).containsExactlyElementsOf(expected);
    }

    /** Returns true when a length is out of range. */
    private static boolean model(final byte[] stream, final int limit, final List<byte[]> frames) {
        final ByteBuffer buffer = ByteBuffer.wrap(stream).order(LITTLE_ENDIAN);
        while (buffer.remaining() >= 4) {
            final int length = buffer.getInt();
            if (length < 0 || length > limit) {
                return true;
            }
            if (buffer.remaining() < length) {
                return false;
            }
            final byte[] frame = new byte[length];
            buffer.get(frame);
            frames.add(frame);
        }
        return false;
    }

    private static byte[] stream(final byte[]... frames) {
        final ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (final byte[] frame : frames) {
            stream.writeBytes(ByteBuffer.allocate(4)
                    .order(LITTLE_ENDIAN)
                    .putInt(frame.length)
                    .array());
            stream.writeBytes(frame);
        }
        return stream.toByteArray();
    }

    /** Hands a stream over piece by piece, each starting with what was left of the last one. */
    private static final class Pieces {
        private final UnsafeBuffer stream;
        private int start;
        private int end;

        Pieces(final byte[] stream) {
            this.stream = new UnsafeBuffer(stream);
        }

        void feed(final FrameReader reader, final int length) {
            end = Math.min(stream.capacity(), end + length);
            // Copied, so that reading past the piece is seen.
            final UnsafeBuffer piece = new UnsafeBuffer(new byte[end - start]);
            piece.putBytes(0, stream, start, end - start);
            reader.read(piece, 0, piece.capacity());
            start += reader.consumed();
        }

        boolean isAtEnd() {
            return end == stream.capacity();
        }

        int leftOver() {
            return end - start;
        }
    }

    private static final class Collector implements FragmentSink {
        private final List<byte[]> frames = new ArrayList<>();
        private final ByteArrayOutputStream frame = new ByteArrayOutputStream();
        private int refuseCount;
        private int longestFragment;
        private boolean isThrowing;

        @Override
        public boolean onFragment(
                final org.agrona.DirectBuffer buffer,
                final int offset,
                final int length,
                final int frameOffset,
                final int frameLength) {
            if (isThrowing) {
                isThrowing = false;
                throw new IllegalStateException();
            }
            if (refuseCount > 0) {
                refuseCount--;
                return false;
            }
            assertThat(frameOffset).isEqualTo(frame.size());
            if (frameOffset == 0) {
                assertThat(length).isEqualTo(Math.min(frameLength, FrameReader.FRAGMENT_LENGTH));
            }
            longestFragment = Math.max(longestFragment, length);
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            frame.writeBytes(bytes);
            if (frame.size() == frameLength) {
                frames.add(frame.toByteArray());
                frame.reset();
            }
            return true;
        }
    }
}
