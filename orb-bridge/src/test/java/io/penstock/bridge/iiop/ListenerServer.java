package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.CodeSets;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.LengthBudget;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageReader;
import io.penstock.bridge.giop.MessageSink;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.ProtocolException;
import io.penstock.bridge.giop.ReadLimits;
import io.penstock.bridge.giop.ReplyHeader;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.ListenerWithHeaders;
import io.penstock.orb.MessageListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A client's object that is called for messages, with a socket of its own. */
class ListenerServer implements ListenerWithHeaders, AutoCloseable {
    static final String KEY = "listener";
    static final String TYPE = "IDL:Penstock/MessageListener:1.0";

    private static final ReadLimits LIMITS = new ReadLimits(1 << 28, 1 << 28, 1 << 28, 1000);

    private final MessageListener listener;
    private final int minor;
    private final ServerSocket socket;

    ListenerServer(final MessageListener listener, final int minor) {
        this.listener = listener;
        this.minor = minor;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    private static void start(final Runnable work) {
        final Thread thread = new Thread(work, "listener-server");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    Ior reference() {
        return new Ior(TYPE, minor, "127.0.0.1", port(), KEY, true);
    }

    private void accept() {
        try {
            while (true) {
                final Socket accepted = socket.accept();
                start(() -> serve(accepted));
            }
        } catch (final IOException e) {
            // It was closed.
            return;
        }
    }

    private void serve(final Socket accepted) {
        try (accepted) {
            final MessageReader reader = new MessageReader(
                    LIMITS, LengthBudget.NONE, UnpooledByteBufAllocator.DEFAULT, new Connection(accepted));
            final byte[] bytes = new byte[64 * 1024];
            for (int count = accepted.getInputStream().read(bytes);
                    count >= 0;
                    count = accepted.getInputStream().read(bytes)) {
                reader.read(Unpooled.copiedBuffer(bytes, 0, count));
            }
        } catch (final IOException | ProtocolException e) {
            // The caller is gone.
            return;
        }
    }

    /** The answer to a call; overridden to answer something else. */
    OutgoingMessage answer(final MessageHeader header, final int id, final @Nullable SystemException failure) {
        final CdrWriter out = CdrWriter.message(header.isLittleEndian());
        new ReplyHeader(id, failure == null ? ReplyHeader.NO_EXCEPTION : ReplyHeader.SYSTEM_EXCEPTION)
                .write(out, header.minor(), failure != null);
        if (failure != null) {
            failure.write(out);
        }
        return new OutgoingMessage(header.minor(), MessageType.REPLY, id, out, 64 * 1024);
    }

    @Override
    public void onMessages(final long subscription, final Delivery[] deliveries) throws RemoteException {
        listener.onMessages(subscription, deliveries);
    }

    @Override
    public void onMessagesWithHeaders(final long subscription, final DeliveryWithHeaders[] messages)
            throws RemoteException {
        ((ListenerWithHeaders) listener).onMessagesWithHeaders(subscription, messages);
    }

    @Override
    public void onEnd(final long subscription, final int code, final String name, final String text)
            throws RemoteException {
        listener.onEnd(subscription, code, name, text);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (final IOException e) {
            return;
        }
    }

    private final class Connection implements MessageSink {
        private final Socket accepted;
        private Charset charset = StandardCharsets.ISO_8859_1;

        Connection(final Socket accepted) {
            this.accepted = accepted;
        }

        @Override
        public void onMessage(final MessageHeader header, final CdrReader body, final long length)
                throws ProtocolException {
            try {
                final RequestHeader request = RequestHeader.read(body, header.minor());
                charset =
                        request.codeSet() == 0 ? charset : Objects.requireNonNull(CodeSets.charset(request.codeSet()));
                body.charset(charset);
                SystemException failure = null;
                try {
                    call(request, body);
                } catch (final RemoteException | RuntimeException e) {
                    failure = new SystemException("UNKNOWN", 1, SystemException.COMPLETED_MAYBE, "thrown");
                }
                final OutgoingMessage answer = answer(header, request.id(), failure);
                final ByteBuf out = Unpooled.buffer();
                while (!answer.isDone()) {
                    answer.writeNext(out);
                }
                accepted.getOutputStream().write(out.array(), 0, out.readableBytes());
            } catch (final SystemException | IOException e) {
                throw new ProtocolException(String.valueOf(e.getMessage()));
            }
        }

        private void call(final RequestHeader request, final CdrReader body) throws SystemException, RemoteException {
            if (!request.key().equals(KEY)) {
                throw new RemoteException("another object: " + request.key());
            }
            if (request.operation().equals("onMessages")) {
                onMessages(body.readLong(), IiopBroker.deliveries(body));
            } else if (request.operation().equals("onMessagesWithHeaders")) {
                onMessagesWithHeaders(body.readLong(), IiopBroker.deliveriesWithHeaders(body));
            } else {
                onEnd(body.readLong(), body.readInt(), body.string(), body.string());
            }
        }

        private void onMessages(final long subscription, final Delivery[] deliveries) throws RemoteException {
            ListenerServer.this.onMessages(subscription, deliveries);
        }

        private void onEnd(final long subscription, final int code, final String name, final String text)
                throws RemoteException {
            ListenerServer.this.onEnd(subscription, code, name, text);
        }

        @Override
        public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason)
                throws ProtocolException {
            throw new ProtocolException("too long");
        }

        @Override
        public void onStaged(final int length) {}
    }
}
