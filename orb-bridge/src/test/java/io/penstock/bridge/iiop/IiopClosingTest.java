package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.BrokerException;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.SubscribeRequest;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How connections end: nothing is lost that was answered, and nothing is said to be safe to ask again that is not. */
@Timeout(120)
class IiopClosingTest {
    private static final String GUEST = "PenstockBroker";

    /** Long enough for a client that is to ask in time, however slow the machine is. */
    private static final int IDLE_TIMEOUT_MS = 4000;

    private static Socket connect(final Harness harness) throws IOException {
        final Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        final int port = Ior.parse(harness.bridge().ior()).port();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static void echo(final ByteBuf out, final int minor, final int length) throws Exception {
        final CdrWriter request = CdrWriter.message(false);
        new RequestHeader(1, true, GUEST, "echo", 0).write(request, minor, true);
        request.octets(new byte[length]);
        out.writeBytes(RawGiop.bytes(new OutgoingMessage(minor, MessageType.REQUEST, 1, request, 1 << 24)));
    }

    private static void send(final Socket socket, final ByteBuf all) throws IOException {
        socket.getOutputStream().write(all.array(), 0, all.readableBytes());
    }

    /** The types of all messages until the end. One that is cut off fails. */
    private static List<Integer> readToEnd(final Socket socket) throws Exception {
        final List<Integer> types = new ArrayList<>();
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            final int first = in.read();
            if (first < 0) {
                return types;
            }
            final int type = readMessage(in, first);
            if (type >= 0) {
                types.add(type);
            }
        }
    }

    /** Reads a message; returns its type, or -1 when more of it follows. */
    private static int readMessage(final DataInputStream in, final int first) throws IOException {
        final ByteBuf head = Unpooled.buffer().writeByte(first);
        final byte[] rest = new byte[MessageHeader.LENGTH - 1];
        in.readFully(rest);
        head.writeBytes(rest);
        in.readFully(new byte[head.getInt(8)]);
        return (head.getByte(6) & 2) == 0 ? head.getByte(7) : -1;
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "2, 3", "1, 4000000", "2, 4000000"})
    void shouldAnswerFirstWhenWhatFollowsIsNoGiop(final int minor, final int length) throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                Socket socket = connect(harness)) {
            final ByteBuf all = Unpooled.buffer();
            echo(all, minor, length);
            all.writeBytes(new byte[MessageHeader.LENGTH]);
            send(socket, all);

            // A long answer of 1.2 ends with a fragment.
            assertThat(readToEnd(socket))
                    .containsExactly(
                            minor == 2 && length > 64 * 1024 ? MessageType.FRAGMENT : MessageType.REPLY,
                            MessageType.MESSAGE_ERROR);
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "2"})
    void shouldSendWhatWasAnsweredBeforeItCloses(final int minor) throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                Socket socket = connect(harness)) {
            final ByteBuf all = Unpooled.buffer();
            echo(all, minor, 12_000_000);
            send(socket, all);
            final DataInputStream in = new DataInputStream(socket.getInputStream());
            final int first = in.read();

            final CompletableFuture<Void> closed =
                    CompletableFuture.runAsync(() -> harness.bridge().close());
            final int begun = readMessage(in, first);
            final List<Integer> rest = readToEnd(socket);
            closed.join();

            assertThat(begun).isEqualTo(minor == 2 ? -1 : MessageType.REPLY);
            assertThat(rest)
                    .containsExactlyElementsOf(
                            minor == 2
                                    ? List.of(MessageType.FRAGMENT, MessageType.CLOSE_CONNECTION)
                                    : List.of(MessageType.CLOSE_CONNECTION));
        }
    }

    @Test
    void shouldAnswerWhoWaitsForMessagesBeforeItCloses() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(Ior.parse(harness.bridge().ior()))) {
            final PenstockBroker broker = new IiopBroker(peer, GUEST);
            final long subscription = broker.subscribe(SubscribeRequest.topic("t"));
            final CompletableFuture<Integer> waiting = peer.send(
                    GUEST,
                    "next",
                    out -> {
                        out.writeLong(subscription);
                        out.writeInt(1);
                        out.writeInt(60_000);
                    },
                    in -> in.count(32));
            assertThat(broker.echo(new byte[1])).hasSize(1);
            final long beginNs = System.nanoTime();
            harness.bridge().close();

            assertThat(peer.awaitEnd()).isEqualTo(MessageType.CLOSE_CONNECTION);
            assertThatThrownBy(() -> GiopPeer.await(waiting)).isInstanceOf(BrokerException.class);
            assertThat(System.nanoTime() - beginNs).isLessThan(30_000_000_000L);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "2, 12000000"})
    void shouldNotStayWhenAClientThatSendsNoGiopTakesNothing(final int minor, final int length) throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.idleTimeoutMs = IDLE_TIMEOUT_MS;
        try (Harness harness = Harness.of(setup.config());
                Socket deaf = connect(harness)) {
            final ByteBuf all = Unpooled.buffer();
            echo(all, minor, length);
            all.writeBytes(new byte[MessageHeader.LENGTH]);
            send(deaf, all);

            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS) == 1
                            && harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .isTrue();
        }
    }

    /** The client asks on at the next call, by a connection of its own. */
    @Test
    void shouldCloseInOrderWhenNothingHasBeenAskedForLong() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.idleTimeoutMs = IDLE_TIMEOUT_MS;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(Ior.parse(harness.bridge().ior()))) {
            assertThat(peer.call(GUEST, "echo", out -> out.octets(new byte[2]), CdrReader::octets))
                    .hasSize(2);
            assertThat(peer.awaitEnd()).isEqualTo(MessageType.CLOSE_CONNECTION);
        }
    }
}
