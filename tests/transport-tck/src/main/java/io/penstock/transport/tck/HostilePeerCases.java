package io.penstock.transport.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that break the rules, or just die. */
abstract class HostilePeerCases extends LifecycleCases {
    private static final int FIRST_CUT_COUNT = 256;
    private static final int RANDOM_CUT_COUNT = 200;
    private static final int PIECE_LENGTH = 16 * 1024;

    @Test
    public void shouldDisconnectPeerWhenItsFrameIsLongerThanAllowed() throws IOException {
        final Side strict = open(TransportContext.FRAGMENT_LENGTH_MIN, CONNECTION_LIMIT);
        final URI endpoint = strict.transport().listen(anotherEndpoint());
        final Link bad = connect(client(), strict, endpoint);
        final Link good = connect(client(), strict, endpoint);
        final long memoryBefore = Resources.directMemoryLength();

        bad.toServer().frame(10).frame(FrameSource.LENGTH_MAX);
        bad.toServer().sendPart();
        bad.toServer().sendPart();
        pollUntil("disconnected", () -> bad.server().isClosed() && bad.client().isClosed());

        assertThat(bad.toServer().receivedCount()).isEqualTo(1);
        assertThat(strict.reasonByConnection.get(bad.server()))
                .contains(String.valueOf(FrameSource.LENGTH_MAX))
                .contains(String.valueOf(TransportContext.FRAGMENT_LENGTH_MIN));
        assertThat(strict.counters.protocolErrors()).isEqualTo(1);
        assertThat(Resources.directMemoryLength() - memoryBefore).isLessThan(1024 * 1024);
        transfer(good.toServer().frames(10, TransportContext.FRAGMENT_LENGTH_MIN));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, TransportContext.FRAME_LENGTH_MAX_DEFAULT + 1})
    public void shouldDisconnectRawPeerWhenItAnnouncesTheLength(final int length) throws IOException {
        final RawPeer peer = raw();
        peer.writeFrame(new byte[10]);
        peer.write(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .array());
        final List<Integer> lengths = recordLengths();

        final Connection connection = rawConnection();
        pollUntil("disconnected", connection::isClosed);

        assertThat(lengths).containsExactly(10);
        assertThat(server().reasonByConnection.get(connection)).contains(String.valueOf(length));
        assertThat(server().counters.protocolErrors()).isEqualTo(1);
        peer.close();
    }

    @Test
    public void shouldServeOthersWhenRawPeersSendGarbage() throws IOException {
        final Link good = connect();
        final Random random = new Random(7);
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) ->
                connection.id() != good.server().id()
                        || good.toServer().onFragment(buffer, offset, length, frameOffset, frameLength);
        for (int i = 0; i < 30; i++) {
            final RawPeer peer = raw();
            final byte[] garbage = new byte[random.nextInt(10_000)];
            random.nextBytes(garbage);
            peer.write(garbage);
            peer.close();
            transfer(good.toServer().frames(10, 1000));
        }

        pollUntil("all are gone", () -> server().reasonByConnection.size() == 30);
        assertThat(good.server().isClosed()).isFalse();
    }

    @Test
    public void shouldDeliverWholeFramesWhenRawPeerEndsItsDirection() throws IOException {
        final RawPeer peer = raw();
        final List<Integer> lengths = recordLengths();
        peer.writeFrame(new byte[10]);
        peer.writeFrame(new byte[0]);
        peer.writeFrame(new byte[70_000]);
        peer.write(new byte[] {100, 0, 0, 0, 1, 2, 3});
        peer.endOutput();

        final Connection connection = rawConnection();
        pollUntil("disconnected", connection::isClosed);

        assertThat(lengths).containsExactly(10, 0, 70_000);
        assertThat(server().reasonByConnection).containsOnlyKeys(connection);
        peer.close();
    }

    @Test
    public void shouldDeliverWhatArrivedWhenRawPeerEndsItsDirectionWhileItIsRefused() throws IOException {
        final RawPeer peer = raw();
        final List<Integer> lengths = new ArrayList<>();
        final boolean[] isRefusing = {true};
        server().rule =
                (connection, buffer, offset, length, frameOffset, frameLength) -> !isRefusing[0] && lengths.add(length);
        peer.writeFrame(new byte[10]);
        peer.writeFrame(new byte[20]);
        final Connection connection = rawConnection();
        pollUntilQuiet();
        peer.writeFrame(new byte[30]);
        peer.endOutput();
        pollUntilQuiet();
        assertThat(connection.isClosed()).isFalse();

        isRefusing[0] = false;
        pollUntil("disconnected", connection::isClosed);

        assertThat(lengths).containsExactly(10, 20, 30);
        peer.close();
    }

    @Test
    public void shouldDisconnectWhenRawPeerDies() throws IOException {
        final RawPeer peer = raw();
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> true;
        peer.writeFrame(new byte[10]);
        final Connection connection = rawConnection();
        pollUntilQuiet();

        peer.abort();
        pollUntil("disconnected", connection::isClosed);

        assertThat(server().reasonByConnection).containsOnlyKeys(connection);
    }

    @Test
    public void shouldDeliverWhatArrivedWhenRawPeerDiesWhileItIsRefused() throws IOException {
        final RawPeer peer = raw();
        final List<Integer> lengths = new ArrayList<>();
        final boolean[] isRefusing = {true};
        server().rule =
                (connection, buffer, offset, length, frameOffset, frameLength) -> !isRefusing[0] && lengths.add(length);
        peer.writeFrame(new byte[10]);
        peer.writeFrame(new byte[20]);
        final Connection connection = rawConnection();
        pollUntilQuiet();
        peer.abort();
        pollUntilQuiet();
        assertThat(connection.isClosed()).isFalse();
        // A dead peer must not keep the agent awake while its frames wait.
        final long startNs = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            server().transport().await(20_000_000);
            server().poll();
        }
        assertThat(System.nanoTime() - startNs).isGreaterThan(50_000_000);

        isRefusing[0] = false;
        pollUntil("disconnected", connection::isClosed);

        assertThat(lengths).containsExactly(10, 20);
    }

    @Test
    public void shouldAssembleFramesWhenRawPeerSendsByteByByte() throws IOException {
        final RawPeer peer = raw();
        final List<Integer> lengths = recordLengths();
        for (int i = 0; i < 3; i++) {
            for (final byte b : new byte[] {5, 0, 0, 0, 1, 2, 3, 4, 5}) {
                peer.write(new byte[] {b});
                pollAll();
            }
        }

        pollUntil("all arrived", () -> lengths.size() == 3);

        assertThat(lengths).containsExactly(5, 5, 5);
        peer.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 65_535, 65_536, 65_537, 200_000})
    public void shouldDeliverTheStartOfAFrameTogetherWhereverRawPeerCutsIt(final int frameLength) throws IOException {
        final RawPeer peer = raw();
        final byte[] stream = new byte[Integer.BYTES + frameLength];
        FrameSource.bytes().getBytes(0, stream, Integer.BYTES, frameLength);
        ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).putInt(frameLength);
        final List<byte[]> frames = new ArrayList<>();
        final ByteArrayOutputStream frame = new ByteArrayOutputStream();
        server().rule = (connection, buffer, offset, length, frameOffset, announcedLength) -> {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            frame.writeBytes(bytes);
            if (frame.size() == announcedLength) {
                frames.add(frame.toByteArray());
                frame.reset();
            }
            return true;
        };
        final Random random = new Random(frameLength);
        for (int i = 0; i < FIRST_CUT_COUNT + RANDOM_CUT_COUNT; i++) {
            final int cut = i < FIRST_CUT_COUNT ? Math.min(i, stream.length) : random.nextInt(stream.length);
            writeAndPoll(peer, stream, 0, cut);
            writeAndPoll(peer, stream, cut, stream.length);
            pollUntil("arrived", () -> !frames.isEmpty());
            assertThat(frames.remove(0))
                    .as("cut at %d", cut)
                    .isEqualTo(Arrays.copyOfRange(stream, Integer.BYTES, stream.length));
        }
        peer.close();
    }

    /** Writes no more than a socket holds, and goes on when all of it was received. */
    private void writeAndPoll(final RawPeer peer, final byte[] stream, final int from, final int to)
            throws IOException {
        for (int offset = from; offset < to; offset += PIECE_LENGTH) {
            final int end = Math.min(to, offset + PIECE_LENGTH);
            final long target = server().counters.bytesReceived() + end - offset;
            peer.write(Arrays.copyOfRange(stream, offset, end));
            pollUntil("received", () -> server().counters.bytesReceived() == target);
        }
    }

    private RawPeer raw() throws IOException {
        final RawPeer peer = connectRaw(bound());
        assumeTrue(peer != null, "nobody can send other than through this transport");
        return present(peer);
    }

    /** The connection that was accepted last, once it is. */
    private Connection rawConnection() {
        pollUntil("accepted", () -> !server().connections.isEmpty());
        return server().connections.get(0);
    }

    private List<Integer> recordLengths() {
        final List<Integer> lengths = new ArrayList<>();
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            if (frameOffset + length == frameLength) {
                lengths.add(frameLength);
            }
            return true;
        };
        return lengths;
    }
}
