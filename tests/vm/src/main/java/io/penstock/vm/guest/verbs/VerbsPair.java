package io.penstock.vm.guest.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.rdma.verbs.Completions;
import io.penstock.transport.rdma.verbs.ReceiveRequests;
import io.penstock.transport.rdma.verbs.SendRequests;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsHandler;
import io.penstock.transport.rdma.verbs.VerbsListener;
import io.penstock.transport.rdma.verbs.VerbsProvider;
import io.penstock.transport.rdma.verbs.VerbsRegistration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Two ends of a provider in one thread, which is control thread and agent of both; reports the calls of its handlers.
 */
final class VerbsPair implements AutoCloseable {
    static final int CAPACITY = 64;
    static final int MEMORY_LENGTH = 1024 * 1024;
    static final int RECEIVE_OFFSET = MEMORY_LENGTH / 2;

    private static final long LIMIT_NS = 20_000_000_000L;

    final List<String> heard = new ArrayList<>();
    final Verbs server;
    final Verbs client;
    final VerbsListener listener;
    final Side serverSide = new Side("server");
    final Side clientSide = new Side("client");
    boolean isRejecting;

    VerbsPair(final VerbsProvider provider, final InetSocketAddress address) throws IOException {
        server = provider.open();
        client = provider.open();
        listener = server.listen(address, 8);
    }

    /** One end: its endpoint and its memory. */
    final class Side implements VerbsHandler {
        final String name;
        final UnsafeBuffer memory =
                new UnsafeBuffer(BufferUtil.allocateDirectAligned(MEMORY_LENGTH, BitUtil.CACHE_LINE_LENGTH));
        final SendRequests sends = new SendRequests(CAPACITY);
        final ReceiveRequests receives = new ReceiveRequests(CAPACITY);
        final Completions completions = new Completions(16);
        final List<String> completed = new ArrayList<>();
        int nextSlot;

        @Nullable
        VerbsEndpoint endpoint;

        @Nullable
        VerbsRegistration registration;

        Side(final String name) {
            this.name = name;
        }

        VerbsEndpoint endpoint() {
            return Objects.requireNonNull(endpoint);
        }

        VerbsRegistration registration() {
            return Objects.requireNonNull(registration);
        }

        private void open(final VerbsEndpoint opened) throws IOException {
            endpoint = opened;
            opened.open(CAPACITY, CAPACITY, 64);
            registration = opened.device()
                    .register(
                            memory.addressOffset(), MEMORY_LENGTH, VerbsDevice.REMOTE_READ | VerbsDevice.REMOTE_WRITE);
        }

        /** Posts receives of 4 KiB, one after the other. */
        int receive(final int first, final int count) {
            for (int i = 0; i < count; i++) {
                final long address = memory.addressOffset() + RECEIVE_OFFSET + (first + i) * 4096L;
                receives.put(i, 1000 + first + i, address, 4096, registration().localKey());
            }
            return endpoint().postReceives(receives, count);
        }

        void send(final int index, final long id, final int flags, final int offset, final int length) {
            sends.put(
                    index,
                    id,
                    SendRequests.SEND,
                    flags,
                    memory.addressOffset() + offset,
                    length,
                    registration().localKey());
        }

        int post(final int count) {
            return endpoint().postSends(sends, count);
        }

        /** Polls, and reports each completion as a line. */
        int poll() {
            final int count = endpoint().poll(completions);
            for (int i = 0; i < count; i++) {
                final boolean isGood = completions.status(i) == Completions.SUCCESS;
                final String kind = isGood
                        ? switch (completions.operation(i)) {
                            case Completions.SENT -> "sent";
                            case Completions.RECEIVED -> "received " + completions.length(i);
                            default -> "number " + completions.immediate(i);
                        }
                        : "failed " + completions.status(i);
                completed.add(completions.id(i) + " " + kind);
            }
            return count;
        }

        void awaitCompleted(final int count) {
            VerbsPair.this.await(name + ": " + count + " completions", () -> {
                poll();
                return completed.size() >= count;
            });
        }

        @Override
        public void onRequest(
                final VerbsListener from,
                final VerbsEndpoint requested,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            heard.add(name + " requested " + text(buffer, offset, length));
            assertThat(from).isSameAs(listener);
            try {
                if (isRejecting) {
                    requested.reject(bytes("full"), 0, 4);
                    requested.close();
                } else {
                    open(requested);
                    receive(0, 16);
                    requested.accept(bytes("welcome"), 0, 7);
                }
            } catch (final IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void onResolved(final VerbsEndpoint resolved) {
            heard.add(name + " resolved");
            try {
                open(resolved);
                receive(0, 16);
                resolved.connect(bytes("hello"), 0, 5);
            } catch (final IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void onEstablished(
                final VerbsEndpoint established, final DirectBuffer buffer, final int offset, final int length) {
            heard.add(name + " established " + text(buffer, offset, length));
        }

        @Override
        public void onFailed(
                final VerbsEndpoint failed,
                final Failure failure,
                final int status,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            heard.add(name + " failed " + failure + " " + text(buffer, offset, length));
        }

        @Override
        public void onDisconnected(final VerbsEndpoint disconnected) {
            heard.add(name + " disconnected");
        }

        @Override
        public void onListenerLost(final VerbsListener lost) {
            heard.add(name + " lost its device");
        }

        void close() {
            if (endpoint != null) {
                endpoint.close();
            }
            if (registration != null) {
                registration.close();
            }
        }
    }

    /** Zeros may be behind private data. */
    static String text(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return new String(bytes, StandardCharsets.US_ASCII).replace("\0", "");
    }

    static DirectBuffer bytes(final String text) {
        final ByteBuffer copy = ByteBuffer.allocateDirect(text.length()).order(ByteOrder.nativeOrder());
        copy.put(text.getBytes(StandardCharsets.US_ASCII));
        return new UnsafeBuffer(copy);
    }

    VerbsPair dial(final InetSocketAddress address) throws IOException {
        clientSide.endpoint = client.resolve(address, 2_000);
        return this;
    }

    VerbsPair connected() throws IOException {
        dial(listener.address());
        awaitHeard("client established welcome");
        awaitHeard("server established ");
        return this;
    }

    void pollEvents() {
        server.pollEvents(serverSide, 8);
        client.pollEvents(clientSide, 8);
    }

    void awaitHeard(final String line) {
        await(line, () -> {
            pollEvents();
            return heard.contains(line);
        });
    }

    void await(final String what, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNs)
                    .as(
                            "waiting for %s; heard %s, completed %s and %s",
                            what, heard, serverSide.completed, clientSide.completed)
                    .isLessThan(LIMIT_NS);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        clientSide.close();
        serverSide.close();
        listener.close();
        client.close();
        server.close();
    }
}
