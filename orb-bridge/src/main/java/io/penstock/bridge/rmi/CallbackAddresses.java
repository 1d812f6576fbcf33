package io.penstock.bridge.rmi;

import io.penstock.bridge.callback.AllowedHosts;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.bridge.service.Listener;
import io.penstock.orb.Callback;
import java.io.InvalidObjectException;
import java.util.List;

/**
 * Which addresses the bridge calls: the caller's own, and those that are configured. Looked at before anything is sent
 * there. Called by the threads of connections.
 */
final class CallbackAddresses {
    private final AllowedHosts hosts;
    private final BridgeCounters counters;

    CallbackAddresses(final List<String> configured, final BridgeCounters counters) {
        hosts = new AllowedHosts(configured);
        this.counters = counters;
    }

    /**
     * The listener, when its address is allowed. Nobody is called yet.
     *
     * @param callback      that was received by the calling thread.
     * @param isWithHeaders whether the listener takes headers.
     * @return the listener.
     * @throws InvalidObjectException when it is no plain stub, or elsewhere.
     */
    Listener listener(final Callback callback, final boolean isWithHeaders) throws InvalidObjectException {
        try {
            final CallbackStub stub = CallbackStub.of(callback);
            check(stub.host());
            return new RemoteListener(stub, isWithHeaders);
        } catch (final InvalidObjectException e) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw e;
        }
    }

    private void check(final String host) throws InvalidObjectException {
        final CallerSocket socket = CallerSocket.current();
        if (socket == null || !hosts.isAllowed(host, socket.caller())) {
            throw new InvalidObjectException("callback: not the caller's address: " + host
                    + " (set java.rmi.server.hostname in the client to the address that the bridge sees"
                    + (socket == null ? "" : ", " + socket.caller().getHostAddress())
                    + ", or bridge.rmi.callbackHosts)");
        }
        if (socket.identity().isEncrypted() && hosts.isUnnamedElsewhere(host, socket.caller())) {
            throw new InvalidObjectException("callback: would be sent messages in clear, and the client's connection is"
                    + " encrypted: " + host + " (take messages with next, or name the host in"
                    + " bridge.rmi.callbackHosts)");
        }
    }
}
