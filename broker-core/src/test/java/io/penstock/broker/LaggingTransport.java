package io.penstock.broker;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The scheme {@code lag}: a medium that sends from where the bytes lie, some time after they were offered, as devices
 * with registered memory do. It takes everything, and sends when the test says so, over an inproc connection to which
 * clients connect as usual. It fails when the bytes have changed meanwhile.
 */
public final class LaggingTransport implements TransportProvider {
    /** All connections that brokers have accepted since the last {@link #reset()}. */
    private static final List<LaggingConnection> ACCEPTED = new ArrayList<>();

    static void reset() {
        ACCEPTED.clear();
    }

    /** The connection accepted as the nth. */
    static LaggingConnection connection(final int index) {
        return ACCEPTED.get(index);
    }

    @Override
    public String scheme() {
        return "lag";
    }

    @Override
    public boolean wakesOwner() {
        return true;
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        return new Lagging(context);
    }

    private static final class Lagging implements Transport {
        private final WrappedInproc<LaggingConnection> wrapped;

        Lagging(final TransportContext context) throws IOException {
            wrapped = new WrappedInproc<>(context, Lagging::lagging);
        }

        private static LaggingConnection lagging(final Connection connection) {
            final LaggingConnection lagging = new LaggingConnection(connection);
            ACCEPTED.add(lagging);
            return lagging;
        }

        @Override
        public URI listen(final URI endpoint) throws IOException {
            return wrapped.listen(endpoint);
        }

        @Override
        public Connection connect(final URI endpoint) throws IOException {
            throw new IOException(endpoint + ": for brokers only");
        }

        @Override
        public int poll(final int frameLimit) {
            int workCount = 0;
            for (final LaggingConnection connection :
                    List.copyOf(wrapped.connections().values())) {
                if (!connection.lagging) {
                    workCount += connection.complete(Integer.MAX_VALUE);
                }
            }
            return workCount + wrapped.medium().poll(frameLimit);
        }

        @Override
        public void await(final long timeoutNs) {
            wrapped.medium().await(timeoutNs);
        }

        @Override
        public void wakeup() {
            wrapped.medium().wakeup();
        }

        @Override
        public void close() {
            wrapped.medium().close();
        }
    }

    /** One connection of the broker. */
    static final class LaggingConnection implements Connection {
        private final Connection medium;
        private final ArrayDeque<Part> parts = new ArrayDeque<>();
        private long position;
        private long completed;

        /** Whether it waits for the test to let it send. */
        boolean lagging;

        LaggingConnection(final Connection medium) {
            this.medium = medium;
        }

        /** Sends up to a number of parts. Returns the number sent. */
        int complete(final int count) {
            int sent = 0;
            while (sent < count && !parts.isEmpty() && !medium.isClosed()) {
                final Part part = parts.peek();
                part.assertUnchanged();
                final long taken = medium.offer(
                        part.header, 0, part.header.capacity(), part.body, part.offset, part.length, part.remaining);
                if (taken == BACK_PRESSURED) {
                    break;
                }
                parts.remove();
                completed = part.position;
                sent++;
            }
            return sent;
        }

        /** Parts with a body that were offered and not sent yet. */
        int inFlightCount() {
            return (int) parts.stream().filter(part -> part.length > 0).count();
        }

        @Override
        public long id() {
            return medium.id();
        }

        @Override
        public String peer() {
            return "lag:" + id();
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public int bestSendLength() {
            return medium.bestSendLength();
        }

        @Override
        public long offer(
                final DirectBuffer header,
                final int headerOffset,
                final int headerLength,
                final DirectBuffer body,
                final int bodyOffset,
                final int bodyLength,
                final int remaining) {
            if (medium.isClosed()) {
                return CLOSED;
            }
            position += headerLength + bodyLength;
            parts.add(new Part(
                    copy(header, headerOffset, headerLength), body, bodyOffset, bodyLength, remaining, position));
            return position;
        }

        private static UnsafeBuffer copy(final DirectBuffer buffer, final int offset, final int length) {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            return new UnsafeBuffer(bytes);
        }

        @Override
        public long completedPosition() {
            return completed;
        }

        @Override
        public boolean isFlushed() {
            return parts.isEmpty() && medium.isFlushed();
        }

        @Override
        public boolean isClosed() {
            return medium.isClosed();
        }

        @Override
        public void close() {
            if (!lagging) {
                complete(Integer.MAX_VALUE);
            }
            // What was not sent is not needed any more.
            parts.clear();
            medium.close();
        }

        /** What was offered, its body where it lies, and a copy of what it was. */
        private static final class Part {
            final UnsafeBuffer header;
            final UnsafeBuffer body;
            final int offset;
            final int length;
            final int remaining;
            final long position;
            final UnsafeBuffer bodyBefore;

            Part(
                    final UnsafeBuffer header,
                    final DirectBuffer body,
                    final int offset,
                    final int length,
                    final int remaining,
                    final long position) {
                this.header = header;
                this.body = new UnsafeBuffer(body, offset, length);
                this.offset = 0;
                this.length = length;
                this.remaining = remaining;
                this.position = position;
                bodyBefore = copy(body, offset, length);
            }

            void assertUnchanged() {
                if (!body.equals(bodyBefore)) {
                    throw new AssertionError("the log was overwritten before it was sent");
                }
            }
        }
    }
}
