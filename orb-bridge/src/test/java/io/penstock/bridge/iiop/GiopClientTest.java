package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.GiopClient;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.ReplyHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bridge calls an object that closes its connections. */
@Timeout(60)
class GiopClientTest {
    private static GiopClient client(final ListenerServer server) {
        return new GiopClient(server.reference(), 64 * 1024, 64 * 1024, 20_000, host -> false);
    }

    private static void call(final GiopClient client) throws IOException, SystemException {
        client.call(
                "onEnd",
                out -> {
                    out.writeLong(1);
                    out.writeInt(2);
                    out.string("name");
                    out.string("text");
                },
                GiopClient.Results.NONE);
    }

    @Test
    void shouldAskAgainWhenAConnectionThatHasServedIsClosed() throws Exception {
        try (Closing server = new Closing(Set.of(2, 4))) {
            final GiopClient client = client(server);
            call(client);
            call(client);
            call(client);

            assertThat(server.count).as("two were asked again").hasValue(5);
            client.close();
            assertThatThrownBy(() -> call(client)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldGiveUpWhenTheNextConnectionIsClosedAsWell() throws Exception {
        try (Closing server = new Closing(Set.of(2, 3))) {
            final GiopClient client = client(server);
            call(client);

            assertThatThrownBy(() -> call(client)).isInstanceOf(IOException.class);
            assertThat(server.count).hasValue(3);
            client.close();
        }
    }

    @Test
    void shouldGiveUpWhenTheFirstConnectionIsClosed() throws Exception {
        try (Closing server = new Closing(Set.of(1))) {
            final GiopClient client = client(server);

            assertThatThrownBy(() -> call(client)).isInstanceOf(IOException.class);
            assertThat(server.count).hasValue(1);
            client.close();
        }
    }

    @Test
    void shouldNotGoWhereWideCharactersAreNotTaken() throws Exception {
        try (ListenerServer there = new ListenerServer(new Quiet(), 1);
                Forwarding here = new Forwarding(there)) {
            final GiopClient narrow = new GiopClient(here.reference(), 64 * 1024, 64 * 1024, 20_000, host -> true);
            call(narrow);
            narrow.close();
            final GiopClient wide = new GiopClient(here.reference(), 64 * 1024, 64 * 1024, 20_000, host -> true).wide();

            assertThatThrownBy(() -> call(wide))
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("takes no wide characters: IIOP 1.1");
            wide.close();
        }
    }

    /** Sends its callers to another that takes IIOP 1.1. */
    private static final class Forwarding extends ListenerServer {
        private final ListenerServer there;

        Forwarding(final ListenerServer there) {
            super(new Quiet(), 2);
            this.there = there;
        }

        @Override
        OutgoingMessage answer(final MessageHeader header, final int id, final @Nullable SystemException failure) {
            final CdrWriter out = CdrWriter.message(header.isLittleEndian());
            new ReplyHeader(id, ReplyHeader.LOCATION_FORWARD).write(out, header.minor(), true);
            new Ior(ListenerServer.TYPE, 1, "127.0.0.1", there.port(), ListenerServer.KEY, true).write(out);
            return new OutgoingMessage(header.minor(), MessageType.REPLY, id, out, 64 * 1024);
        }
    }

    /** Closes instead of answering some of the calls. */
    private static final class Closing extends ListenerServer {
        private final AtomicInteger count = new AtomicInteger();
        private final Set<Integer> closed;

        Closing(final Set<Integer> closed) {
            super(new Quiet(), 2);
            this.closed = closed;
        }

        @Override
        OutgoingMessage answer(final MessageHeader header, final int id, final @Nullable SystemException failure) {
            return closed.contains(count.incrementAndGet())
                    ? OutgoingMessage.empty(2, MessageType.CLOSE_CONNECTION)
                    : super.answer(header, id, failure);
        }
    }

    private record Quiet() implements MessageListener {
        @Override
        public void onMessages(final long subscription, final Delivery[] deliveries) {}

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {}
    }
}
