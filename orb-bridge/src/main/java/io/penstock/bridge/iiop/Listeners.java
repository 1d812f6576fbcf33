package io.penstock.bridge.iiop;

import io.penstock.bridge.callback.AllowedHosts;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.bridge.service.Listener;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Whom the bridge calls: listeners at their client's own address, and at those that are configured. Safe on any thread. */
final class Listeners {
    private final IiopConfig config;
    private final AllowedHosts hosts;
    private final BridgeCounters counters;

    Listeners(final IiopConfig config, final BridgeCounters counters) {
        this.config = config;
        this.counters = counters;
        hosts = new AllowedHosts(config.callbackHosts());
    }

    /**
     * A listener, when its address is allowed. Nobody is called yet.
     *
     * @param reference that the client gave; null = none.
     * @param caller    where the client is.
     * @param isWithHeaders whether the listener takes headers.
     * @return the listener.
     * @throws SystemException when there is none, or it is elsewhere.
     */
    Listener listener(final @Nullable Ior reference, final InetAddress caller, final boolean isWithHeaders)
            throws SystemException {
        if (reference == null || reference.port() < 1) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw Failures.noCallback();
        }
        if (!hosts.isAllowed(reference.host(), caller)) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw Failures.callbackRefused(reference.host());
        }
        return new IiopListener(
                reference, isWithHeaders, config.fragmentLength(), host -> hosts.isAllowed(host, caller));
    }
}
