package io.penstock.bench.peer;

import io.penstock.bench.Subject;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A connection to a broker whose protocol has payloads of a stated length. It gathers messages and writes them in large
 * pieces, and reads in large pieces, as a good client does.
 */
final class SocketPort implements Subject.PublishPort, Subject.DeliveryPort {
    private static final int OUT_LENGTH = 64 * 1024;
    private static final int IN_LENGTH = 256 * 1024;
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final PeerProtocol protocol;
    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private final UnsafeBuffer inView;

    SocketPort(final int port, final int payloadLengthMax, final PeerProtocol protocol) throws IOException {
        this.protocol = protocol;
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
        out = ByteBuffer.allocateDirect(Math.max(OUT_LENGTH, payloadLengthMax + PeerProtocol.ROOM_BESIDE_PAYLOAD));
        in = ByteBuffer.allocateDirect(Math.max(IN_LENGTH, payloadLengthMax + PeerProtocol.ROOM_BESIDE_PAYLOAD));
        inView = new UnsafeBuffer(in);
        sendText(protocol.greeting());
    }

    /** Subscribes, and waits until the broker has done it. */
    SocketPort subscribe() {
        sendText(protocol.subscription());
        final long deadlineNs = System.nanoTime() + ANSWER_TIMEOUT_NS;
        while (!protocol.isSubscribed()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw CommandFailure.failed("no answer to a subscribe within 10 s");
            }
            if (poll() == 0) {
                await(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        return this;
    }

    @Override
    public boolean tryPublish(final DirectBuffer buffer, final int offset, final int length) {
        final int room = length + PeerProtocol.ROOM_BESIDE_PAYLOAD;
        if (out.remaining() < room) {
            send();
            if (out.remaining() < room) {
                return false;
            }
        }
        protocol.put(buffer, offset, length, out);
        return true;
    }

    @Override
    public int poll() {
        return send() + receive();
    }

    @Override
    public boolean isFlushed() {
        return out.position() == 0;
    }

    @Override
    public void await(final long timeoutNs) {
        try {
            selector.select(key -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs)));
        } catch (final IOException e) {
            throw failure(e);
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (final IOException e) {
            throw failure(e);
        }
    }

    private void sendText(final String text) {
        out.put(text.getBytes(StandardCharsets.US_ASCII));
        send();
    }

    private int send() {
        if (out.position() == 0) {
            return 0;
        }
        try {
            out.flip();
            final int sent = channel.write(out);
            out.compact();
            return sent;
        } catch (final IOException e) {
            throw failure(e);
        }
    }

    private int receive() {
        try {
            final int received = channel.read(in);
            if (received < 0) {
                throw CommandFailure.failed("the broker closed the connection");
            }
            if (received > 0) {
                final int taken = take(in.position());
                in.flip().position(taken);
                in.compact();
                sendText(protocol.reply());
            }
            return received;
        } catch (final IOException e) {
            throw failure(e);
        }
    }

    /** Takes what is whole of what has been received; returns where the part that is not whole begins. */
    private int take(final int end) {
        int position = 0;
        while (position < end) {
            final int next = protocol.parse(inView, position, end);
            if (next < 0) {
                break;
            }
            position = next;
        }
        return position;
    }

    private static CommandFailure failure(final IOException cause) {
        return CommandFailure.failed("the connection is broken: " + cause.getMessage());
    }
}
