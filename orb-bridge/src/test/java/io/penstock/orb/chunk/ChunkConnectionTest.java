package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ChunkConnectionTest {
    private static final byte[] ABC = {'a', 'b', 'c'};

    @Test
    void shouldAnswerOnTheSameStreamAndForgetItWhenItsTurnIsOver() throws Exception {
        try (Pair pair = new Pair()) {
            final ChunkStream asked = pair.caller.open();
            Pair.send(asked, ABC, ChunkFrame.FLUSH);

            final ChunkStream call = pair.accepted();
            assertThat(Pair.read(call, 3)).isEqualTo(ABC);
            Pair.send(call, ABC, ChunkFrame.TURN);
            pair.server.finish(call);

            assertThat(Pair.read(asked, 3)).isEqualTo(ABC);
            assertThat(asked.isDone()).isTrue();
            assertThat(asked.read(new byte[1], 0, 1, Pair.soonNs())).isEqualTo(-1);
            assertThat(pair.caller.streamCount()).isZero();
            assertThat(pair.server.streamCount()).isZero();
            assertThat(pair.calls.heldLength).hasValue(0);
        }
    }

    /** Bytes as another program would send them. */
    @Test
    void shouldHaveTheirLayoutWhenFramesAreSentAndReceived() throws Exception {
        try (Pair pair = new Pair()) {
            Pair.send(pair.caller.open(), ABC, ChunkFrame.FLUSH);
            final InputStream in = pair.serverSocket.getInputStream();
            assertThat(HexFormat.of().formatHex(in.readNBytes(11)))
                    .isEqualTo("01" + "05" + "0003" + "00000001" + "616263");

            pair.callerSocket.getOutputStream().write(HexFormat.of().parseHex("0105000200000007" + "7879"));
            final ChunkStream call = pair.accepted();
            assertThat(call.id()).isEqualTo(7);
            assertThat(Pair.read(call, 2)).isEqualTo("xy".getBytes(StandardCharsets.US_ASCII));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0900000000000000                     | chunk frame: unknown type: 9 (the connection is closed)
                    0200000300000001000000               | chunk frame: wrong length for its type 2: 3 (the connection is closed)
                    0300020100000001                     | chunk frame: wrong length for its type 3: 513 (the connection is closed)
                    01010ff900000001                     | chunk: frame too long: 4089 bytes, at most 4088 (the connection is closed)
                    0101000000000000                     | chunk: stream 0 cannot begin: it is there already (the connection is closed)
                    0101000100000001610101000100000001   | chunk: stream 1 cannot begin: it is there already (the connection is closed)
                    0101000100000001610200000400000001ffffffff | chunk: stream 1 gives wrong credit: -1 (the connection is closed)
                    010300010000000161                   | chunk: stream 1 cannot end its turn: this side answers (the connection is closed)
                    """)
    void shouldEndWithOneReasonWhenAFrameIsWrong(final String bytes, final String reason) throws Exception {
        try (Pair pair = new Pair()) {
            pair.callerSocket.getOutputStream().write(HexFormat.of().parseHex(bytes.strip()));

            assertThatThrownBy(() -> {
                        while (true) {
                            final boolean unused = pair.server.receive();
                        }
                    })
                    .hasMessage(reason);

            assertThat(pair.server.isEnded()).isTrue();
            assertThat(pair.calls.ends).hasValue(1);
            assertThat(pair.calls.heldLength).hasValue(0);
            // The other side gets the same reason, and then nothing more.
            assertThatThrownBy(() -> Pair.read(pair.caller.open(), 1)).hasMessage(reason);
            assertThat(pair.caller.isEnded()).isTrue();
        }
    }

    @Test
    void shouldEndTheConnectionWhenMoreIsSentThanThereIsCreditFor() throws Exception {
        try (Pair pair = new Pair()) {
            final byte[] frame = new byte[ChunkFrame.HEADER_LENGTH + 4088];
            for (int i = 0; i < 3; i++) {
                ChunkFrame.put(frame, 0, ChunkFrame.DATA, i == 0 ? ChunkFrame.BEGIN : 0, 4088, 5);
                pair.callerSocket.getOutputStream().write(frame);
            }

            assertThatThrownBy(() -> {
                        while (true) {
                            final boolean unused = pair.server.receive();
                        }
                    })
                    .hasMessage("chunk: stream 5 has sent more than it had credit for (the connection is closed)");
        }
    }

    @Test
    void shouldRefuseAStreamAndServeOthersWhenThereAreTooMany() throws Exception {
        try (Pair pair = new Pair()) {
            for (int i = 0; i < Pair.STREAMS; i++) {
                assertThat(pair.caller.open()).isNotNull();
            }
            assertThat(pair.caller.open()).isNull();
            for (int id = 100; id <= 100 + Pair.STREAMS; id++) {
                final byte[] frame = Pair.framed(ABC);
                ChunkFrame.put(frame, 0, ChunkFrame.DATA, ChunkFrame.BEGIN | ChunkFrame.FLUSH, ABC.length, id);
                pair.callerSocket.getOutputStream().write(frame);
            }

            for (int i = 0; i < Pair.STREAMS; i++) {
                assertThat(Pair.read(pair.accepted(), 3)).isEqualTo(ABC);
            }

            final byte[] refusal = pair.callerSocket.getInputStream().readNBytes(ChunkFrame.HEADER_LENGTH);
            assertThat(refusal[0]).isEqualTo((byte) ChunkFrame.RESET);
            assertThat(ChunkFrame.getInt(refusal, 4)).isEqualTo(100 + Pair.STREAMS);
            assertThat(new String(
                            pair.callerSocket.getInputStream().readNBytes(ChunkFrame.payloadLength(refusal, 0)),
                            StandardCharsets.UTF_8))
                    .isEqualTo("chunk: too many streams on a connection: 8 (use more connections)");
        }
    }

    @Test
    void shouldGiveAStreamUpWhenThereIsNoMemoryForItsBytes() throws Exception {
        try (Pair pair = new Pair()) {
            pair.calls.heldLengthMax = 4096;
            final ChunkStream first = pair.caller.open();
            Pair.send(first, ABC, ChunkFrame.FLUSH);
            final ChunkStream second = pair.caller.open();
            Pair.send(second, ABC, ChunkFrame.FLUSH);

            assertThat(Pair.read(pair.accepted(), 3)).isEqualTo(ABC);

            assertThatThrownBy(() -> {
                        final FutureTask<Void> reading = new FutureTask<>(() -> {
                            while (true) {
                                pair.server.receive();
                            }
                        });
                        new Thread(reading).start();
                        Pair.read(second, 1);
                    })
                    .hasMessage("chunk: no memory left for bytes that wait (try again, or send less at once)");
        }
    }

    @Test
    void shouldKeepTheDeadlineAndTheConnectionWhenNothingIsAnswered() throws Exception {
        try (Pair pair = new Pair()) {
            final ChunkStream stream = pair.caller.open();
            Pair.send(stream, ABC, ChunkFrame.FLUSH);

            assertThatThrownBy(() -> stream.read(new byte[1], 0, 1, System.nanoTime() + 1_000_000))
                    .isInstanceOf(SocketTimeoutException.class);
            stream.reset("enough");

            final ChunkStream other = pair.caller.open();
            Pair.send(other, ABC, ChunkFrame.FLUSH);
            ChunkStream call = pair.accepted();
            while (call.id() != other.id()) {
                call = pair.accepted();
            }
            assertThat(Pair.read(call, 3)).isEqualTo(ABC);
        }
    }

    /** Nobody answers, and nobody takes: who writes waits for credit, and no longer than it may. */
    @Test
    void shouldStopAtTheWindowWhenTheOtherSideDoesNotRead() throws Exception {
        try (Pair pair = new Pair()) {
            final ChunkStream stream = pair.caller.open();
            final byte[] bytes = Pair.framed(new byte[4 * Pair.WINDOW]);

            assertThatThrownBy(() -> stream.send(
                            bytes, ChunkFrame.HEADER_LENGTH, 4 * Pair.WINDOW, 0, System.nanoTime() + 1_000_000))
                    .isInstanceOf(SocketTimeoutException.class);

            assertThat(Pair.read(pair.accepted(), Pair.WINDOW)).hasSize(Pair.WINDOW);
        }
    }

    @Test
    void shouldNotifyAllWaitersWhenTheOtherSideDies() throws Exception {
        try (Pair pair = new Pair()) {
            final FutureTask<Throwable> first = waiting(pair.caller.open());
            final FutureTask<Throwable> second = waiting(pair.caller.open());

            pair.serverSocket.close();

            assertThat(first.get()).hasMessage("chunk: the other side has closed the connection");
            assertThat(second.get()).hasMessage("chunk: the other side has closed the connection");
            assertThat(pair.caller.open()).isNull();
        }
    }

    private static FutureTask<Throwable> waiting(final ChunkStream stream) {
        final FutureTask<Throwable> task = new FutureTask<>(() -> {
            try {
                Pair.read(stream, 1);
                return new AssertionError("something came");
            } catch (final java.io.IOException e) {
                return e;
            }
        });
        new Thread(task).start();
        return task;
    }

    /** With TLS a read may have to write, which has no time-out. */
    @Test
    @SuppressWarnings("try") // Closed early, as is tested.
    void shouldBeStuckWhenAReadDoesNotReturn() throws Exception {
        final CountDownLatch isRead = new CountDownLatch(1);
        final CountDownLatch isOver = new CountDownLatch(1);
        final InputStream in = new InputStream() {
            @Override
            public int read() throws IOException {
                return read(new byte[1], 0, 1);
            }

            @Override
            public int read(final byte[] bytes, final int offset, final int count) throws IOException {
                isRead.countDown();
                try {
                    isOver.await();
                } catch (final InterruptedException e) {
                    throw new IOException(e);
                }
                return -1;
            }
        };
        try (ChunkConnection connection = new ChunkConnection(
                in,
                OutputStream.nullOutputStream(),
                isOver::countDown,
                Pair.HELLO,
                Pair.HELLO,
                false,
                new Pair.Calls(),
                new ChunkCounters())) {
            final FutureTask<Boolean> reading = new FutureTask<>(connection::receive);
            new Thread(reading).start();
            isRead.await();

            assertThat(connection.isStuck(System.nanoTime() + 2_000_000_000L, 1_000_000_000L))
                    .isTrue();
            assertThat(connection.isStuck(System.nanoTime(), Long.MAX_VALUE)).isFalse();
            connection.close();

            assertThatThrownBy(reading::get).hasRootCauseInstanceOf(IOException.class);
            assertThat(connection.isStuck(System.nanoTime() + 2_000_000_000L, 1_000_000_000L))
                    .isFalse();
        }
    }

    /** A thread that is woken for a part of a message can do nothing with it. */
    @Test
    void shouldReportACallWhenItIsWholeOrHalfOfTheWindowIsThere() throws Exception {
        try (Pair pair = new Pair()) {
            final ChunkStream part = pair.caller.open();
            Pair.send(part, ABC, 0);
            final ChunkStream whole = pair.caller.open();
            Pair.send(whole, ABC, ChunkFrame.FLUSH);
            assertThat(pair.accepted().id()).isEqualTo(whole.id());

            Pair.send(part, new byte[Pair.WINDOW / 2 - ABC.length], 0);
            final ChunkStream half = pair.accepted();
            assertThat(half.id()).isEqualTo(part.id());
            assertThat(Pair.read(half, Pair.WINDOW / 2)).startsWith(ABC);
            assertThat(pair.calls.streams).isEmpty();
        }
    }

    /** Nobody was notified of it, so nobody else would give it up. */
    @Test
    void shouldGiveUpAPartOfACallWhenItsRestDoesNotCome() throws Exception {
        try (Pair pair = new Pair()) {
            final ChunkStream part = pair.caller.open();
            Pair.send(part, ABC, 0);
            final ChunkStream whole = pair.caller.open();
            Pair.send(whole, ABC, ChunkFrame.FLUSH);
            final ChunkStream call = pair.accepted();
            final long heldLength = pair.calls.heldLength.get();

            pair.server.resetParts(System.nanoTime(), 1_000_000_000L);
            assertThat(pair.server.streamCount()).isEqualTo(2);
            pair.server.resetParts(System.nanoTime() + 2_000_000_000L, 1_000_000_000L);

            assertThatThrownBy(() -> Pair.read(part, 1))
                    .hasMessage("chunk: the rest of what was begun has not come in time");
            assertThat(pair.calls.heldLength).hasValue(heldLength / 2);
            assertThat(Pair.read(call, 3)).isEqualTo(ABC);
        }
    }

    @Test
    void shouldSendWhatWasDeferredBeforeAnythingElseAndBeforeItIsWaitedFor() throws Exception {
        try (Pair pair = new Pair()) {
            final ChunkStream asked = pair.caller.open();
            final byte[] unused1 = asked.defer(
                    Pair.framed(ABC), ChunkFrame.HEADER_LENGTH, ABC.length, ChunkFrame.FLUSH, Pair.soonNs());
            assertThat(pair.serverSocket.getInputStream().available()).isZero();
            final FutureTask<byte[]> answer = new FutureTask<>(() -> Pair.read(asked, 3));
            new Thread(answer).start();

            final ChunkStream call = pair.accepted();
            assertThat(Pair.read(call, 3)).isEqualTo(ABC);
            final byte[] unused2 = call.defer(Pair.framed(ABC), ChunkFrame.HEADER_LENGTH, 2, 0, Pair.soonNs());
            Pair.send(call, new byte[] {'!'}, ChunkFrame.TURN);
            assertThat(answer.get()).isEqualTo("ab!".getBytes(StandardCharsets.US_ASCII));

            final ChunkStream other = pair.caller.open();
            final byte[] unused3 = other.defer(
                    Pair.framed(ABC), ChunkFrame.HEADER_LENGTH, ABC.length, ChunkFrame.FLUSH, Pair.soonNs());
            pair.caller.flush();
            assertThat(Pair.read(pair.accepted(), 3)).isEqualTo(ABC);
        }
    }

    /** One thread reads for many, and ends with the connection. */
    @Test
    void shouldHaveAThreadThatReadsWhenManyWait() throws Exception {
        final Thread reader;
        try (Pair pair = new Pair()) {
            final FutureTask<Throwable> first = waiting(pair.caller.open());
            final FutureTask<Throwable> second = waiting(pair.caller.open());
            final FutureTask<Throwable> third = waiting(pair.caller.open());
            reader = reader();
            pair.serverSocket.close();
            assertThat(first.get()).isInstanceOf(IOException.class);
            assertThat(second.get()).isInstanceOf(IOException.class);
            assertThat(third.get()).isInstanceOf(IOException.class);
        }
        reader.join();
    }

    private static Thread reader() {
        while (true) {
            for (final Thread each : Thread.getAllStackTraces().keySet()) {
                if (each.getName().equals("penstock-pool-reader")) {
                    return each;
                }
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldCopyNothingWhenALargePayloadIsSentFromItsArray() throws Exception {
        try (Pair pair = new Pair()) {
            final byte[] payload = new byte[Pair.WINDOW];
            for (int i = 0; i < payload.length; i++) {
                payload[i] = (byte) i;
            }
            final ChunkStream stream = pair.caller.open();

            stream.sendGathered(payload, 0, payload.length, Pair.soonNs());

            assertThat(Pair.read(pair.accepted(), payload.length)).isEqualTo(payload);
            assertThat(pair.counters.directLength()).isGreaterThanOrEqualTo(payload.length);
            assertThat(pair.counters.stagedLength()).isZero();
        }
    }
}
