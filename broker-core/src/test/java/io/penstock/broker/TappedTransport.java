package io.penstock.broker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** The scheme {@code tap}: inproc connections, of which each byte is kept that a broker has sent. */
public final class TappedTransport implements TransportProvider {
    private static final List<ByteArrayOutputStream> SENT = new ArrayList<>();

    /** Bytes that were offered from where they lie, by connection. */
    private static final List<Long> IN_PLACE = new ArrayList<>();

    private static boolean tellsBlocked = true;

    /** Whether connections say from now on, until the next reset, that they are blocked, if they are. */
    static void tellsBlocked(final boolean value) {
        tellsBlocked = value;
    }

    static void reset() {
        tellsBlocked = true;
        SENT.clear();
        IN_PLACE.clear();
    }

    /** How many bytes of those were sent from where they lay, without a copy of the broker's. */
    static long inPlace(final int index) {
        return IN_PLACE.get(index);
    }

    /** All bytes that were sent over the connection accepted as the nth since the last reset. */
    static String sent(final int index) {
        return SENT.get(index).toString(ISO_8859_1);
    }

    /** Forgets what was sent so far. */
    static void forget() {
        SENT.forEach(ByteArrayOutputStream::reset);
    }

    @Override
    public String scheme() {
        return "tap";
    }

    @Override
    public boolean wakesOwner() {
        return true;
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        final WrappedInproc<Connection> wrapped = new WrappedInproc<>(context, TappedTransport::tapped);
        return (Transport) Proxy.newProxyInstance(
                TappedTransport.class.getClassLoader(),
                new Class<?>[] {Transport.class},
                (proxy, method, arguments) -> method.getName().equals("listen")
                        ? wrapped.listen((URI) arguments[0])
                        : invoke(method, wrapped.medium(), arguments));
    }

    private static Connection tapped(final Connection connection) {
        final ByteArrayOutputStream sent = new ByteArrayOutputStream();
        SENT.add(sent);
        IN_PLACE.add(0L);
        final int index = IN_PLACE.size() - 1;
        return (Connection) Proxy.newProxyInstance(
                TappedTransport.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("isBlocked") && !tellsBlocked) {
                        return false;
                    }
                    final Object result = invoke(method, connection, arguments);
                    if (method.getName().equals("offer") && (long) result >= 0) {
                        keep(sent, (DirectBuffer) arguments[0], (int) arguments[1], (int) arguments[2]);
                        IN_PLACE.set(index, IN_PLACE.get(index) + (int) arguments[5]);
                        keep(sent, (DirectBuffer) arguments[3], (int) arguments[4], (int) arguments[5]);
                    }
                    return result;
                });
    }

    private static void keep(
            final ByteArrayOutputStream to, final DirectBuffer buffer, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        to.writeBytes(bytes);
    }

    private static Object invoke(final Method method, final Object target, final Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (final InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
