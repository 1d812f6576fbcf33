package io.penstock.bridge.rmi;

import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.bridge.service.Listener;
import io.penstock.orb.Callback;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which addresses the bridge calls: the caller's own, and those that are configured. Looked at before anything is sent
 * there. Called by the threads of connections.
 */
final class CallbackAddresses {
    private static final String ANY = "*";

    /** Text that {@link InetAddress} reads without asking a name server. */
    private static final Pattern NUMERIC = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    private final List<String> configured;
    private final BridgeCounters counters;

    CallbackAddresses(final List<String> configured, final BridgeCounters counters) {
        this.configured = configured;
        this.counters = counters;
    }

    /**
     * The listener, when its address is allowed. Nobody is called yet.
     *
     * @param callback that was received by the calling thread.
     * @return the listener.
     * @throws InvalidObjectException when it is no plain stub, or elsewhere.
     */
    Listener listener(final Callback callback) throws InvalidObjectException {
        try {
            final CallbackStub stub = CallbackStub.of(callback);
            check(stub.host());
            return new RemoteListener(stub);
        } catch (final InvalidObjectException e) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw e;
        }
    }

    private void check(final String host) throws InvalidObjectException {
        final CallerSocket socket = CallerSocket.current();
        if (socket == null || !isAllowed(host, socket.caller())) {
            throw new InvalidObjectException("callback: not the caller's address: " + host
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
}
