package io.penstock.transport.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.ReadyListener;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fake kernel, so that rare events happen when a test wants them. */
class StreamTransportTest {
    private static final URI ENDPOINT = URI.create("tcp://127.0.0.1:9100");
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);

    private final FakeLoop loop = new FakeLoop();
    private final Recorder recorder = new Recorder();
    private final TransportCounters counters = new TransportCounters();
    private final StreamTransport transport = new StreamTransport(
            new TransportContext(
                    recorder,
                    TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                    CONNECT_TIMEOUT_NS,
                    10,
                    counters,
                    () -> {},
                    recorder.errors::add),
            StreamMedium.plain("tcp"),
            loop,
            loop.clock);

    @BeforeEach
    void listen() throws IOException {
        transport.listen(ENDPOINT);
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void shouldPauseAcceptingForAWhileWhenItFails() {
        loop.acceptError = new IOException("accept(..) failed with error(-24): Too many open files");
        transport.poll(10);
        assertThat(recorder.errors)
                .singleElement()
                .satisfies(error -> assertThat(error)
                        .hasMessage("tcp://127.0.0.1:9100: cannot accept: too many open files"
                                + " (raise the limit of open files)"));
        assertThat(loop.isAccepting).isFalse();

        transport.poll(10);
        assertThat(recorder.errors).hasSize(1);

        loop.acceptError = null;
        loop.toAccept.add(new FakeSocket(false));
        // The wait ends when it is time to try again.
        transport.await(TimeUnit.HOURS.toNanos(1));
        assertThat(loop.clock.nanoTime()).isLessThan(TimeUnit.SECONDS.toNanos(1));
        transport.poll(10);
        transport.poll(10);
        assertThat(recorder.connections).hasSize(1);
    }

    @Test
    void shouldGiveUpWhenNobodyAnswersInTime() {
        final FakeSocket socket = new FakeSocket(false);
        socket.isConnected = false;
        loop.connecting = socket;

        assertThatThrownBy(() -> transport.connect(ENDPOINT))
                .isInstanceOf(IOException.class)
                .hasMessage("tcp://127.0.0.1:9100: cannot connect: no answer within 3000 ms"
                        + " (check the address and the network)");

        assertThat(socket.isClosed).isTrue();
        assertThat(loop.clock.nanoTime()).isEqualTo(CONNECT_TIMEOUT_NS);
        assertThat(loop.wakeupCount)
                .as("wake-ups that may have been used up are given back")
                .isEqualTo(1);
    }

    @Test
    void shouldHoldNoMemoryWhenConnectionsAreIdle() {
        for (int i = 0; i < 10; i++) {
            final FakeSocket socket = accept();
            socket.incoming = new byte[] {1, 0, 0, 0, 7};
            ready();
        }
        assertThat(recorder.lengths).hasSize(10);
        assertThat(transport.pool().lentCount()).isZero();
    }

    @Test
    void shouldHoldASmallChunkWhenAFrameIsIncomplete() {
        final FakeSocket socket = accept();
        socket.incoming = new byte[] {(byte) 200, 0, 0, 0, 7};
        ready();

        assertThat(transport.pool().lentCount()).isEqualTo(1);
        assertThat(counters.bytesCopied()).isEqualTo(5);

        socket.incoming = new byte[199];
        socket.incomingOffset = 0;
        ready();
        assertThat(recorder.lengths).containsExactly(200);
        assertThat(transport.pool().lentCount()).isZero();
        assertThat(counters.bytesCopied()).isEqualTo(10);
    }

    @Test
    void shouldDeliverWhatCameBeforeWhenSendingFails() {
        final FakeSocket socket = accept();
        offer(recorder.connections.get(0));
        socket.incoming = new byte[] {1, 0, 0, 0, 7};
        socket.isBrokenPipe = true;

        transport.poll(10);

        assertThat(recorder.lengths).containsExactly(1);
        assertThat(recorder.reasons).containsExactly("broken pipe");
        assertThat(socket.isClosed).isTrue();
        assertThat(transport.pool().lentCount()).isZero();
    }

    @Test
    void shouldDeliverWhatWaitsWhenSendingFailsWhileItIsRefused() {
        final FakeSocket socket = accept();
        final Connection connection = recorder.connections.get(0);
        recorder.isRefusing = true;
        socket.incoming = new byte[] {1, 0, 0, 0, 7};
        ready();
        offer(connection);
        socket.isBrokenPipe = true;
        transport.poll(10);
        assertThat(connection.isClosed()).isFalse();
        assertThat(offer(connection)).isEqualTo(Connection.CLOSED);

        recorder.isRefusing = false;
        transport.poll(10);
        transport.poll(10);

        assertThat(recorder.lengths).containsExactly(1);
        assertThat(recorder.reasons).containsExactly("broken pipe");
    }

    @Test
    void shouldDisconnectWhenReadingFails() {
        final FakeSocket socket = accept();
        socket.isBroken = true;
        ready();

        assertThat(recorder.reasons).containsExactly("connection reset by peer");
        assertThat(socket.isClosed).isTrue();
    }

    private static long offer(final Connection connection) {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[10]);
        return connection.offer(bytes, 0, 0, bytes, 0, 10, 0);
    }

    @Test
    void shouldNotReadWhileRefusedAndReadOnWhenTaken() {
        final FakeSocket socket = accept();
        recorder.isRefusing = true;
        socket.incoming = new byte[] {1, 0, 0, 0, 7};
        ready();
        assertThat(socket.isReading).isFalse();

        recorder.isRefusing = false;
        transport.poll(10);

        assertThat(recorder.lengths).containsExactly(1);
        assertThat(socket.isReading).isTrue();
        assertThat(transport.pool().lentCount()).isZero();
    }

    @Test
    void shouldHearNoMoreOfASocketThatHungUpWhileItIsRefused() {
        final FakeSocket socket = accept();
        recorder.isRefusing = true;
        socket.incoming = new byte[] {1, 0, 0, 0, 7};
        ready();
        ready();
        assertThat(socket.isDeregistered).isTrue();

        recorder.isRefusing = false;
        socket.isAtEnd = true;
        transport.poll(10);
        transport.poll(10);

        assertThat(recorder.lengths).containsExactly(1);
        assertThat(recorder.reasons).containsExactly("closed by peer");
    }

    @Test
    void shouldReadUpToTheEndWhenASocketHungUpWhileItIsRefused() {
        final FakeSocket socket = accept();
        recorder.isRefusing = true;
        socket.incoming = new byte[] {1, 0, 0, 0, 7};
        ready();
        moreWaitsAndItHangsUp(socket);

        recorder.isRefusing = false;
        pollOften();

        assertThat(recorder.lengths).containsExactly(1, 2);
        assertThat(recorder.reasons).containsExactly("closed by peer");
    }

    @Test
    void shouldReadUpToTheEndWhenWhatWaitedIsRefusedToo() {
        final FakeSocket socket = accept();
        recorder.isRefusing = true;
        socket.incoming = new byte[] {1, 0, 0, 0, 7};
        ready();
        moreWaitsAndItHangsUp(socket);
        recorder.isRefusing = false;
        recorder.refusedLength = 2;
        pollOften();
        assertThat(recorder.lengths).containsExactly(1);

        recorder.refusedLength = 0;
        pollOften();

        assertThat(recorder.lengths).containsExactly(1, 2);
        assertThat(recorder.reasons).containsExactly("closed by peer");
    }

    private void moreWaitsAndItHangsUp(final FakeSocket socket) {
        socket.incoming = new byte[] {2, 0, 0, 0, 8, 9};
        socket.incomingOffset = 0;
        socket.isAtEnd = true;
        ready();
        assertThat(socket.isDeregistered).isTrue();
    }

    private void pollOften() {
        for (int i = 0; i < 5; i++) {
            transport.poll(10);
        }
    }

    @Test
    void shouldSayThatAFrameWasCutOffWhenThePeerClosesInTheMiddle() {
        final FakeSocket socket = accept();
        socket.incoming = new byte[] {2, 0, 0, 0, 7};
        socket.isAtEnd = true;
        ready();
        ready();

        assertThat(recorder.reasons).containsExactly("closed by peer in the middle of a frame");
    }

    @Test
    void shouldReadTheOthersInBetweenWhenOneNeverEnds() {
        final FakeSocket endless = accept();
        endless.incoming = new byte[100 * StreamTransport.RECEIVE_LENGTH];
        final FakeSocket other = accept();
        other.incoming = new byte[] {1, 0, 0, 0, 7};
        readyAll();

        assertThat(recorder.lengths).contains(1);
        assertThat(endless.incomingOffset).isLessThan(endless.incoming.length);
    }

    @Test
    void shouldStayCompleteWhenConnectionsCloseInAnyOrder() {
        for (int i = 0; i < 5; i++) {
            accept();
        }
        for (final int index : new int[] {1, 4, 0, 3, 2}) {
            recorder.connections.get(index).close();
        }
        assertThat(transport.pool().lentCount()).isZero();
        for (int i = 0; i < 10; i++) {
            accept();
        }
        assertThat(counters.connectionsRefused()).isZero();
        accept();
        assertThat(counters.connectionsRefused()).isEqualTo(1);
    }

    @Test
    void shouldRefuseToListenOrConnectWhenClosed() {
        transport.close();

        assertThatThrownBy(() -> transport.connect(ENDPOINT))
                .hasMessage("tcp://127.0.0.1:9100: transport is closed (open another one)");
        assertThatThrownBy(() -> transport.listen(ENDPOINT))
                .hasMessage("tcp://127.0.0.1:9100: transport is closed (open another one)");
        assertThat(transport.poll(1)).isZero();
    }

    private FakeSocket accept() {
        final FakeSocket socket = new FakeSocket(true);
        loop.toAccept.add(socket);
        transport.poll(10);
        return socket;
    }

    /** The connection that was accepted last is readable. */
    private void ready() {
        ((ReadyListener) recorder.connections.get(recorder.connections.size() - 1)).onReady(true, false);
        transport.poll(10);
    }

    private void readyAll() {
        recorder.connections.forEach(connection -> ((ReadyListener) connection).onReady(true, false));
        transport.poll(1_000_000);
    }

    private static final class Recorder implements TransportHandler {
        private final List<Connection> connections = new ArrayList<>();
        private final List<Integer> lengths = new ArrayList<>();
        private final List<String> reasons = new ArrayList<>();
        private final List<Throwable> errors = new ArrayList<>();
        private boolean isRefusing;

        /** Of frames that are refused; 0 for none. */
        private int refusedLength;

        @Override
        public void onConnect(final Connection connection) {
            connections.add(connection);
        }

        @Override
        public boolean onFragment(
                final Connection connection,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int frameOffset,
                final int frameLength) {
            return !isRefusing && length != refusedLength && lengths.add(length);
        }

        @Override
        public void onDisconnect(final Connection connection, final String reason) {
            reasons.add(reason);
        }
    }
}
