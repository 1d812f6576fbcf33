package io.penstock.transport.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import java.io.IOException;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** Connections come and go. */
abstract class LifecycleCases extends PressureCases {
    private static final int COME_AND_GO_COUNT = Integer.getInteger("penstock.connections", 1000);
    /** A pool may come to keep a buffer more, of a length that was not asked for before. */
    private static final long POOL_GROWTH_MAX = 256 * 1024;

    private static final long MAPPED_GROWTH_MAX = 128L * 1024 * 1024;

    @Test
    public void shouldNotifyBothSidesWhenConnected() throws IOException {
        final Link link = connect();

        assertThat(client().connections).containsExactly(link.client());
        assertThat(server().connections).containsExactly(link.server());
        assertThat(link.client().peer()).startsWith(peerScheme() + ":");
        assertThat(link.server().peer()).startsWith(peerScheme() + ":");
        assertThat(link.client().isLocal()).isEqualTo(isLocal());
        assertThat(link.server().isLocal()).isEqualTo(isLocal());
        assertThat(link.client().isClosed()).isFalse();
        assertThat(link.client().isFlushed()).isTrue();
        assertThat(link.client().completedPosition()).isZero();
    }

    @Test
    public void shouldConnectToItselfWhenOneAgentDoesBoth() throws IOException {
        final Connection connected = server().transport().connect(bound());
        pollUntil("accepted", () -> server().connections.size() == 2);
        final Flow flow = new Flow(connected);
        server().flowByConnection.put(server().connections.get(1), flow);

        transfer(flow.frames(10, 1000));
    }

    @Test
    public void shouldGiveEachConnectionItsOwnIdWhenManyComeAndGo() throws IOException {
        final Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            final Link link = connect();
            assertThat(ids.add(link.server().id())).isTrue();
            link.client().close();
            pollUntil("disconnected", link.server()::isClosed);
        }
    }

    @Test
    public void shouldFailToConnectWhenNobodyListens() {
        assertThatThrownBy(() -> client().transport().connect(deadEndpoint()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(deadEndpoint() + ": cannot connect: ");
    }

    @Test
    public void shouldFailToListenWhenEndpointIsTaken() {
        assertThatThrownBy(() -> client().transport().listen(bound()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(bound() + ": cannot listen: ");
    }

    @Test
    public void shouldListenAgainWhenTheListenerIsGone() throws IOException {
        final Link link = connect();
        server().close();
        pollUntil("disconnected", link.client()::isClosed);

        final Side next = open();
        assertThat(next.transport().listen(bound())).isEqualTo(bound());
        transfer(connect(client(), next, bound()).toServer().frame(10));
    }

    @Test
    public void shouldDeliverAllBeforeDisconnectWhenPeerCloses() throws IOException {
        final Link link = connect();
        final Flow flow = link.toServer();
        flow.frames(50, 1000).send();
        pollUntil("flushed", link.client()::isFlushed);

        link.client().close();
        pollUntil("disconnected", link.server()::isClosed);

        assertThat(flow.receivedCount()).isEqualTo(50);
        assertThat(server().reasonByConnection).containsOnlyKeys(link.server());
        assertThat(client().reasonByConnection).isEmpty();
    }

    @Test
    public void shouldSendWhatWasOfferedWhenClosedAtOnce() throws IOException {
        final Link link = connect();
        link.toServer().frames(10, 100).send();

        link.client().close();
        pollUntil("disconnected", link.server()::isClosed);

        assertThat(link.toServer().receivedCount()).isEqualTo(10);
    }

    @Test
    public void shouldDeliverAllBeforeDisconnectWhenPeerClosesWhileItIsRefused() throws IOException {
        final Link link = connect();
        final Flow flow = link.toServer();
        flow.refuse(true);
        flow.frames(100, 1000).send();
        pollUntil("flushed", link.client()::isFlushed);
        link.client().close();
        pollUntilQuiet();
        assertThat(link.server().isClosed()).isFalse();

        flow.refuse(false);
        pollUntil("disconnected", link.server()::isClosed);

        assertThat(flow.receivedCount()).isGreaterThan(50).isEqualTo((int) (flow.acceptedLength() / 1000));
    }

    @Test
    public void shouldDisconnectWhenThePeersTransportIsClosed() throws IOException {
        final Link first = connect();
        final Link second = connect();

        client().close();
        pollUntil(
                "disconnected",
                () -> first.server().isClosed() && second.server().isClosed());

        assertThat(server().reasonByConnection).containsOnlyKeys(first.server(), second.server());
    }

    @Test
    public void shouldRefuseOffersWhenClosed() throws IOException {
        final Link link = connect();
        final DirectBuffer bytes = FrameSource.bytes();

        link.client().close();
        link.client().close();
        pollUntil("disconnected", link.server()::isClosed);

        assertThat(link.client().offer(bytes, 0, 10, bytes, 0, 10, 0)).isEqualTo(Connection.CLOSED);
        assertThat(link.server().offer(bytes, 0, 10, bytes, 0, 10, 0)).isEqualTo(Connection.CLOSED);
    }

    @Test
    public void shouldNoticeWhenItSendsToAPeerThatIsGone() throws IOException {
        final Link link = connect();
        link.client().close();

        pollUntil("disconnected", () -> {
            link.toClient().frame(1000).send();
            return link.server().isClosed();
        });

        assertThat(server().reasonByConnection).containsOnlyKeys(link.server());
    }

    @Test
    public void shouldDeliverNothingMoreWhenHandlerClosesTheConnection() throws IOException {
        final Link link = connect();
        final int[] count = {0};
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            count[0]++;
            connection.close();
            return count[0] % 2 == 0;
        };
        link.toServer().frames(10, 100).send();

        pollUntil("disconnected", link.client()::isClosed);
        pollUntilQuiet();

        assertThat(count[0]).isEqualTo(1);
        assertThat(server().reasonByConnection).isEmpty();
    }

    @Test
    public void shouldDeliverNothingMoreWhenHandlerClosesAnotherConnection() throws IOException {
        final Link first = connect();
        final Link second = connect();
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            (connection.id() == first.server().id() ? second : first).server().close();
            return true;
        };
        first.toServer().frames(10, 100).send();
        second.toServer().frames(10, 100).send();

        pollUntil(
                "one is gone",
                () -> first.client().isClosed() || second.client().isClosed());
        pollUntilQuiet();

        assertThat(first.server().isClosed()).isNotEqualTo(second.server().isClosed());
    }

    @Test
    public void shouldStopWhenHandlerClosesTheTransport() throws IOException {
        final Link link = connect();
        final int[] count = {0};
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            count[0]++;
            server().transport().close();
            return true;
        };
        link.toServer().frames(10, 100).send();

        pollUntil("disconnected", link.client()::isClosed);

        assertThat(count[0]).isEqualTo(1);
        assertThat(server().poll()).isZero();
    }

    @Test
    public void shouldCloseFurtherConnectionsWhenTheLimitIsReached() throws IOException {
        final Side limited = open(TransportContext.FRAME_LENGTH_MAX_DEFAULT, 2);
        final URI endpoint = limited.transport().listen(anotherEndpoint());
        final Link first = connect(client(), limited, endpoint);
        connect(client(), limited, endpoint);

        final Connection third = client().transport().connect(endpoint);
        pollUntil("refused", third::isClosed);

        assertThat(limited.counters.connectionsRefused()).isEqualTo(1);
        assertThat(limited.connections).hasSize(2);
        transfer(first.toServer().frames(10, 100));

        first.client().close();
        pollUntil("room", first.server()::isClosed);
        transfer(connect(client(), limited, endpoint).toServer().frame(10));
    }

    @Test
    public void shouldFailToConnectWhenItsOwnLimitIsReached() throws IOException {
        final Side limited = open(TransportContext.FRAME_LENGTH_MAX_DEFAULT, 1);
        connect(limited, server(), bound());

        assertThatThrownBy(() -> limited.transport().connect(bound()))
                .isInstanceOf(IOException.class)
                .hasMessage(bound() + ": cannot connect: too many connections: 1 (raise transport.connectionLimit)");
    }

    @Test
    public void shouldLeaveNothingWhenManyConnectionsCameAndWent() throws IOException {
        comeAndGo(Math.min(100, comeAndGoCount()));
        final long filesBefore = Resources.openFileCount();
        final long memoryBefore = Resources.directMemoryLength();
        final long mappedBefore = Resources.mappedLength();

        comeAndGo(comeAndGoCount());

        assertThat(Resources.openFileCount()).isLessThanOrEqualTo(filesBefore + 2);
        assertThat(Resources.directMemoryLength() - memoryBefore).isLessThan(POOL_GROWTH_MAX);
        assertThat(Resources.mappedLength() - mappedBefore).isLessThan(MAPPED_GROWTH_MAX);
    }

    /**
     * How many connections come and go to show that nothing is left of them.
     *
     * @return fewer where each of them takes long.
     */
    protected int comeAndGoCount() {
        return COME_AND_GO_COUNT;
    }

    /** In turn: closed by either side, with frames on their way or a frame half sent or refused. */
    private void comeAndGo(final int count) throws IOException {
        for (int i = 0; i < count; i++) {
            final Link link = connect();
            link.toServer().refuse((i & 4) != 0);
            link.toServer().frame(i).frame(100_000);
            link.toServer().sendPart();
            link.toServer().sendPart();
            if ((i & 2) != 0) {
                pollAll();
            }
            final Connection closing = (i & 1) == 0 ? link.client() : link.server();
            final Connection other = (i & 1) == 0 ? link.server() : link.client();
            closing.close();
            link.toServer().refuse(false);
            pollUntil("disconnected", other::isClosed);
        }
        server().connections.clear();
        client().connections.clear();
        server().reasonByConnection.clear();
        client().reasonByConnection.clear();
        server().flowByConnection.clear();
        client().flowByConnection.clear();
    }
}
