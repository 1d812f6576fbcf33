package io.penstock.bridge.rmi;

import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.orb.Callback;
import io.penstock.orb.MessageListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses the bridge calls: the caller's own, and those that are configured. A stub is looked at while it is being
 * read, before the runtime sends anything there. Called by the threads of connections.
 */
final class CallbackAddresses implements Callback.Check {
    private static final String ANY = "*";
    private static final String REF_CLASS = "UnicastRef";

    /** Text that {@link InetAddress} reads without asking a name server. */
    private static final Pattern NUMERIC = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    private final List<String> configured;
    private final BridgeCounters counters;

    CallbackAddresses(final List<String> configured, final BridgeCounters counters) {
        this.configured = configured;
        this.counters = counters;
    }

    @Override
    public void check(final MessageListener listener) throws InvalidObjectException {
        final String host = host(listener);
        final CallerSocket socket = CallerSocket.current();
        if (host == null || socket == null || !isAllowed(host, socket.caller())) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw new InvalidObjectException("callback: not the caller's address: " + (host == null ? "none" : host)
                    + " (set java.rmi.server.hostname in the client to the address that the bridge sees"
                    + (socket == null ? "" : ", " + socket.caller().getHostAddress())
                    + ", or bridge.rmi.callbackHosts)");
        }
    }

    private boolean isAllowed(final String host, final InetAddress caller) {
        if (configured.contains(ANY) || configured.contains(host)) {
            return true;
        }
        if (!NUMERIC.matcher(host).matches()) {
            return host.equals("localhost") && isOfThisMachine(caller);
        }
        try {
            final InetAddress address = InetAddress.getByName(host);
            return address.equals(caller) || (isOfThisMachine(address) && isOfThisMachine(caller));
        } catch (final IOException e) {
            return false;
        }
    }

    private static boolean isOfThisMachine(final InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (final IOException e) {
            return false;
        }
    }

    /** The host that the runtime would call; null when it is no plain stub. */
    static @Nullable String host(final MessageListener listener) {
        if (!Proxy.isProxyClass(listener.getClass())) {
            return null;
        }
        final InvocationHandler handler = Proxy.getInvocationHandler(listener);
        if (!(handler instanceof RemoteObjectInvocationHandler stub)) {
            return null;
        }
        final RemoteRef ref = stub.getRef();
        try {
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                if (ref == null || !REF_CLASS.equals(ref.getRefClass(out))) {
                    return null;
                }
                // Its external form begins with the host.
                ref.writeExternal(out);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                return in.readUTF();
            }
        } catch (final IOException e) {
            return null;
        }
    }
}
