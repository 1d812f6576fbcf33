package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls and answers whose bytes reach the other side in two pieces, wherever they are cut. */
@Timeout(120)
class CutChunksTest {
    private static final ChunkHello HELLO = new ChunkHello(ChunkFrame.LENGTH_MAX, 512 * 1024, Pair.STREAMS, 0);
    private static final int FIRST_CUT_COUNT = 256;
    private static final int RANDOM_CUT_COUNT = 200;

    @ParameterizedTest
    @ValueSource(ints = {100, 65_528, 65_535, 65_536, 65_537, 200_000})
    void shouldReadCallsAndAnswersWhereverTheirBytesAreCut(final int length) throws Exception {
        final Random random = new Random(length);
        final byte[] payload = new byte[length];
        random.nextBytes(payload);
        final byte[] call = call(payload);
        final byte[] answer = answer(call, payload);
        for (int i = 0; i < FIRST_CUT_COUNT + RANDOM_CUT_COUNT; i++) {
            final int cut = i < FIRST_CUT_COUNT ? Math.min(i, call.length) : random.nextInt(call.length);
            assertThat(Pair.read(accepted(new Side(call, cut, false)), length))
                    .as("a call, cut at %d", cut)
                    .isEqualTo(payload);
            final Side caller = new Side(answer, cut, true);
            assertThat(Pair.read(caller.connection.open(), length))
                    .as("an answer, cut at %d", cut)
                    .isEqualTo(payload);
        }
    }

    private static byte[] call(final byte[] payload) throws IOException {
        final Side caller = new Side(new byte[0], 0, true);
        Pair.send(caller.connection.open(), payload, ChunkFrame.FLUSH);
        caller.connection.flush();
        return caller.sent.toByteArray();
    }

    private static byte[] answer(final byte[] call, final byte[] payload) throws Exception {
        final Side server = new Side(call, call.length, false);
        final ChunkStream stream = accepted(server);
        assertThat(Pair.read(stream, payload.length)).isEqualTo(payload);
        server.connection.flush();
        server.sent.reset();
        Pair.send(stream, payload, ChunkFrame.TURN);
        server.connection.flush();
        return server.sent.toByteArray();
    }

    private static ChunkStream accepted(final Side server) throws Exception {
        while (server.calls.streams.isEmpty()) {
            assertThat(server.connection.receive()).isTrue();
        }
        final ChunkStream stream = server.calls.streams.take();
        stream.hold();
        return stream;
    }

    /** One end of a connection, whose other end has sent these bytes. */
    private static final class Side {
        final Pair.Calls calls = new Pair.Calls();
        final ByteArrayOutputStream sent = new ByteArrayOutputStream();
        final ChunkConnection connection;

        Side(final byte[] received, final int cut, final boolean isCaller) {
            connection = new ChunkConnection(
                    new CutInput(received, cut), sent, () -> {}, HELLO, HELLO, isCaller, calls, new ChunkCounters());
        }
    }

    private static final class CutInput extends InputStream {
        private final byte[] bytes;
        private final int cut;
        private int position;

        CutInput(final byte[] bytes, final int cut) {
            this.bytes = bytes;
            this.cut = cut;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(final byte[] to, final int offset, final int length) throws IOException {
            final int end = position < cut ? cut : bytes.length;
            final int count = Math.min(length, end - position);
            if (count == 0) {
                throw new SocketTimeoutException("nothing comes any more");
            }
            System.arraycopy(bytes, position, to, offset, count);
            position += count;
            return count;
        }
    }
}
