package io.penstock.transport.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the cases stand on: a listening side, a connecting side, and a loop that polls both. */
abstract class TckSupport {
    /** After which a test gives up; longer where the machine is emulated. */
    static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(Long.getLong("penstock.deadlineS", 20));

    static final int CONNECTION_LIMIT = 64;

    private final List<Side> sides = new ArrayList<>();
    private @Nullable Side serverSide;
    private @Nullable Side clientSide;
    private @Nullable URI boundEndpoint;

    /**
     * The transport to test.
     *
     * @return a provider, the same or another one each time.
     */
    protected abstract TransportProvider provider();

    /**
     * Where to listen.
     *
     * @return an endpoint that is free, for example with port 0.
     */
    protected abstract URI endpoint();

    /**
     * Where a second listener can listen.
     *
     * @return an endpoint that is free while {@link #endpoint()} is taken.
     */
    protected abstract URI anotherEndpoint();

    /**
     * An endpoint on which nobody listens.
     *
     * @return an endpoint that refuses.
     */
    protected abstract URI deadEndpoint();

    /**
     * Connects below the framing, where the medium allows that.
     *
     * @param endpoint as it was bound.
     * @return the peer, or null when nobody can send other than through this transport; cases that need it are skipped.
     * @throws IOException when it cannot connect.
     */
    protected @Nullable RawPeer connectRaw(final URI endpoint) throws IOException {
        return null;
    }

    /**
     * Whether peers at {@link #endpoint()} can only be of this machine, as far as the transport knows.
     *
     * @return true for loopback and for shared memory.
     */
    protected boolean isLocal() {
        return true;
    }

    /**
     * The scheme of peers, which says what their connections really are.
     *
     * @return the provider's, unless another medium is to be used instead.
     */
    protected String peerScheme() {
        return provider().scheme();
    }

    @BeforeEach
    final void listen() throws IOException {
        serverSide = open();
        clientSide = open();
        boundEndpoint = serverSide.transport().listen(endpoint());
    }

    @AfterEach
    final void closeAll() {
        for (final Side side : sides) {
            side.close();
            assertThat(side.errors).isEmpty();
        }
    }

    final Side open() throws IOException {
        return open(TransportContext.FRAME_LENGTH_MAX_DEFAULT, CONNECTION_LIMIT);
    }

    final Side open(final int frameLengthMax, final int connectionLimit) throws IOException {
        final Side side = new Side(provider(), frameLengthMax, connectionLimit);
        sides.add(side);
        return side;
    }

    final Side server() {
        return present(serverSide);
    }

    final Side client() {
        return present(clientSide);
    }

    /** As bound. */
    final URI bound() {
        return present(boundEndpoint);
    }

    static <T> T present(final @Nullable T value) {
        if (value == null) {
            throw new AssertionError("not there");
        }
        return value;
    }

    /** Connects the client to the server. */
    final Link connect() throws IOException {
        return connect(client(), server(), bound());
    }

    final Link connect(final Side from, final Side to, final URI endpoint) throws IOException {
        final int count = to.connections.size();
        final Connection client = from.transport().connect(endpoint);
        pollUntil("accepted", () -> to.connections.size() > count);
        final Connection server = to.connections.get(count);
        final Link link = new Link(client, server, new Flow(client), new Flow(server));
        to.flowByConnection.put(server, link.toServer());
        from.flowByConnection.put(client, link.toClient());
        return link;
    }

    /** Polls all sides until the condition holds, or fails. */
    final void pollUntil(final String what, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            pollAll();
            if (System.nanoTime() - startNs > DEADLINE_NS) {
                throw new AssertionError("not within the deadline: " + what);
            }
        }
    }

    /** Sends what there is to send on the flows, polling all sides, until all of it has arrived. */
    final void transfer(final Flow... flows) {
        pollUntil("all arrived", () -> {
            boolean isDone = true;
            for (final Flow flow : flows) {
                flow.send();
                isDone &= flow.isDone();
            }
            return isDone;
        });
    }

    protected final int pollAll() {
        int workCount = 0;
        for (final Side side : sides) {
            workCount += side.poll();
        }
        return workCount;
    }

    /** Polls until nothing has happened for a while. */
    final void pollUntilQuiet() {
        int quietCount = 0;
        while (quietCount < 1000) {
            quietCount = pollAll() == 0 ? quietCount + 1 : 0;
        }
    }
}
