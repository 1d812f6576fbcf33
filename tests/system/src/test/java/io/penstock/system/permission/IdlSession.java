package io.penstock.system.permission;

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
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.PenstockBroker;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The contract over IIOP, one call at a time. A value has its fields in the order of the IDL, as the classes of the Java contract
 * do, so calls are written and read by those classes alone. Listeners stand at a port where nobody is.
 */
final class IdlSession implements InvocationHandler {
    private static final String EXCEPTION = "IDL:Penstock/BrokerException:1.0";
    private static final String LISTENER = "IDL:Penstock/ListenerWithHeaders:1.0";
    private static final int LENGTH_MAX = 1 << 24;
    private static final int TIMEOUT_MS = 40_000;
    private static final int ELEMENT_LENGTH_MIN = 8;

    private final Connection connection;
    private final String key;

    private IdlSession(final Connection connection, final String key) {
        this.connection = connection;
        this.key = key;
    }

    /** The guests' session. */
    static PenstockBroker guests(final String reference) throws IOException {
        final Ior ior = Ior.parse(reference);
        return proxy(new Connection(ior.host(), ior.port()), ior.key());
    }

    private static PenstockBroker proxy(final Connection connection, final String key) {
        return (PenstockBroker) Proxy.newProxyInstance(
                PenstockBroker.class.getClassLoader(),
                new Class<?>[] {PenstockBroker.class},
                new IdlSession(connection, key));
    }

    @Override
    public @Nullable Object invoke(final Object proxy, final Method method, final Object @Nullable [] arguments)
            throws Exception {
        final CdrWriter out = connection.request(key, method.getName());
        for (final Object each : arguments == null ? new Object[0] : arguments) {
            write(out, each);
        }
        final CdrReader in = connection.call(out);
        return method.getReturnType() == void.class ? null : read(in, method.getReturnType());
    }

    private static void write(final CdrWriter out, final Object value) throws Exception {
        if (value instanceof String text) {
            out.string(text);
        } else if (value instanceof byte[] bytes) {
            out.octets(bytes);
        } else if (value instanceof Integer number) {
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeLong(number);
        } else if (value instanceof Boolean is) {
            out.writeBoolean(is);
        } else if (value instanceof Callback) {
            new Ior(LISTENER, 2, "127.0.0.1", 9, "nobody", true).write(out);
        } else if (value.getClass().isArray()) {
            out.writeInt(Array.getLength(value));
            for (int i = 0; i < Array.getLength(value); i++) {
                write(out, Array.get(value, i));
            }
        } else {
            for (final Field field : fields(value.getClass())) {
                write(out, field.get(value));
            }
        }
    }

    private Object read(final CdrReader in, final Class<?> type) throws Exception {
        if (type == String.class) {
            return in.string();
        }
        if (type == byte[].class) {
            return in.octets();
        }
        if (type == int.class) {
            return in.readInt();
        }
        if (type == long.class) {
            return in.readLong();
        }
        if (type == boolean.class) {
            return in.readBoolean();
        }
        if (type == PenstockBroker.class) {
            return proxy(connection, Objects.requireNonNull(Ior.read(in)).key());
        }
        if (type.isArray()) {
            final Object array = Array.newInstance(type.getComponentType(), in.count(ELEMENT_LENGTH_MIN));
            for (int i = 0; i < Array.getLength(array); i++) {
                Array.set(array, i, read(in, type.getComponentType()));
            }
            return array;
        }
        final List<Field> fields = fields(type);
        final Object[] values = new Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(in, fields.get(i).getType());
        }
        final Constructor<?> constructor =
                type.getDeclaredConstructor(fields.stream().map(Field::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    private static List<Field> fields(final Class<?> type) {
        final List<Field> fields = Arrays.stream(type.getDeclaredFields())
                .filter(each -> !Modifier.isStatic(each.getModifiers()))
                .toList();
        fields.forEach(each -> each.setAccessible(true));
        return fields;
    }

    /** Ends the connection of a session and of those that it began. */
    static void close(final PenstockBroker session) {
        ((IdlSession) Proxy.getInvocationHandler(session)).connection.close();
    }

    /** A connection with one call under way. */
    private static final class Connection implements MessageSink {
        private final Socket socket;
        private final MessageReader reader = new MessageReader(
                new ReadLimits(LENGTH_MAX, LENGTH_MAX, LENGTH_MAX, 1),
                LengthBudget.NONE,
                UnpooledByteBufAllocator.DEFAULT,
                this);
        private final byte[] received = new byte[64 * 1024];
        private int lastId;
        private int status;
        private @Nullable CdrReader answer;

        Connection(final String host, final int port) throws IOException {
            socket = new Socket(host, port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MS);
        }

        CdrWriter request(final String key, final String operation) {
            final CdrWriter out = CdrWriter.message(false);
            out.charset(StandardCharsets.UTF_8);
            new RequestHeader(++lastId, true, key, operation, CodeSets.UTF_8).write(out, 2, true);
            return out;
        }

        CdrReader call(final CdrWriter out) throws IOException, ProtocolException, SystemException, BrokerException {
            final OutgoingMessage message = new OutgoingMessage(2, MessageType.REQUEST, lastId, out, received.length);
            final ByteBuf piece = Unpooled.buffer(message.nextLengthMax());
            while (!message.isDone()) {
                piece.clear();
                message.writeNext(piece);
                socket.getOutputStream().write(piece.array(), 0, piece.readableBytes());
            }
            answer = null;
            while (answer == null) {
                final int count = socket.getInputStream().read(received);
                if (count < 0) {
                    throw new IOException("the bridge has closed the connection");
                }
                reader.read(Unpooled.copiedBuffer(received, 0, count));
            }
            final CdrReader body = answer;
            if (status == ReplyHeader.USER_EXCEPTION) {
                final String id = body.string();
                if (id.equals(EXCEPTION)) {
                    throw new BrokerException(body.readInt(), body.string(), body.string());
                }
                throw new IOException(id);
            }
            if (status != ReplyHeader.NO_EXCEPTION) {
                throw SystemException.read(body);
            }
            return body;
        }

        @Override
        public void onMessage(final MessageHeader header, final CdrReader body, final long length)
                throws ProtocolException {
            try {
                if (header.type() != MessageType.REPLY) {
                    throw new ProtocolException("not a reply: " + header.type());
                }
                final ReplyHeader reply = ReplyHeader.read(body, header.minor());
                body.charset(StandardCharsets.UTF_8);
                status = reply.status();
                answer = body;
            } catch (final SystemException e) {
                throw new ProtocolException(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason)
                throws ProtocolException {
            throw new ProtocolException("too long");
        }

        @Override
        public void onStaged(final int length) {}

        void close() {
            try {
                socket.close();
            } catch (final IOException e) {
                return;
            }
        }
    }
}
