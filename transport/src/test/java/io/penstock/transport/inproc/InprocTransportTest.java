package io.penstock.transport.inproc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InprocTransportTest {
    private static final URI ENDPOINT = URI.create("inproc:test");

    private final Recorder serverHandler = new Recorder();
    private final Recorder clientHandler = new Recorder();
    private final Transport server = open(serverHandler, 4);
    private final Transport client = open(clientHandler, 4 * InprocListener.BACKLOG_LIMIT);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void shouldEchoInOneThreadWhenBothSidesArePolled() throws IOException {
        server.listen(ENDPOINT);
        final Connection connection = client.connect(URI.create("inproc://test"));

        send(connection, "to server");
        assertThat(server.poll(10)).isPositive();
        send(serverHandler.connections.get(0), "to client");
        assertThat(client.poll(10)).isPositive();

        assertThat(serverHandler.frames).containsExactly("to server");
        assertThat(clientHandler.frames).containsExactly("to client");
    }

    @Test
    void shouldDeliverWhatWasOfferedWhenAcceptedLater() throws IOException {
        server.listen(ENDPOINT);
        final Connection connection = client.connect(ENDPOINT);
        send(connection, "last words");
        connection.close();

        server.poll(10);

        assertThat(serverHandler.frames).containsExactly("last words");
        assertThat(serverHandler.reasons).containsExactly("closed by peer");
    }

    @Test
    void shouldRefuseToConnectWhenNobodyListens() {
        assertThatThrownBy(() -> client.connect(ENDPOINT))
                .isInstanceOf(IOException.class)
                .hasMessage("inproc:test: cannot connect: nobody listens on this name in this process"
                        + " (start the listener first)");
    }

    @Test
    void shouldRefuseToConnectWhenListenerIsClosed() throws IOException {
        server.listen(ENDPOINT);
        server.close();

        assertThatThrownBy(() -> client.connect(ENDPOINT)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldRefuseToListenWhenNameIsTaken() throws IOException {
        server.listen(ENDPOINT);

        assertThatThrownBy(() -> client.listen(ENDPOINT))
                .isInstanceOf(IOException.class)
                .hasMessage("inproc:test: cannot listen: name already in use"
                        + " (choose another name, or close what has it)");
    }

    @Test
    void shouldListenAgainWhenTheNameWasGivenUp() throws IOException {
        server.listen(ENDPOINT);
        server.close();

        assertThat(client.listen(ENDPOINT)).isEqualTo(ENDPOINT);
    }

    @Test
    void shouldRefuseWhenEndpointHasNoName() {
        assertThatThrownBy(() -> server.listen(URI.create("inproc://?x=1")))
                .isInstanceOf(IOException.class)
                .hasMessage("endpoint: not an in-process name: inproc://?x=1 (use inproc:name)");
    }

    @Test
    void shouldRefuseToConnectWhenBacklogIsFull() throws IOException {
        server.listen(ENDPOINT);
        final List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < InprocListener.BACKLOG_LIMIT; i++) {
            connections.add(client.connect(ENDPOINT));
        }

        assertThatThrownBy(() -> client.connect(ENDPOINT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too many connections wait to be accepted: 1024");
        connections.forEach(Connection::close);
    }

    @Test
    void shouldDisconnectThoseWhoWaitWhenListenerCloses() throws IOException {
        server.listen(ENDPOINT);
        final Connection connection = client.connect(ENDPOINT);

        server.close();
        client.poll(10);

        assertThat(clientHandler.reasons).containsExactly("closed by peer");
        assertThat(connection.isClosed()).isTrue();
    }

    private static void send(final Connection connection, final String text) {
        final UnsafeBuffer body = new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
        assertThat(connection.offer(body, 0, 0, body, 0, body.capacity(), 0)).isPositive();
    }

    private static Transport open(final TransportHandler handler, final int connectionLimit) {
        try {
            return Transports.providerFor(ENDPOINT)
                    .open(new TransportContext(
                            handler,
                            TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                            TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                            connectionLimit,
                            new TransportCounters(),
                            () -> {},
                            throwable -> {
                                throw new AssertionError(throwable);
                            }));
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    private static final class Recorder implements TransportHandler {
        private final List<Connection> connections = new ArrayList<>();
        private final List<String> frames = new ArrayList<>();
        private final List<String> reasons = new ArrayList<>();

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
            frames.add(buffer.getStringWithoutLengthUtf8(offset, length));
            return true;
        }

        @Override
        public void onDisconnect(final Connection connection, final String reason) {
            reasons.add(reason);
        }
    }
}
