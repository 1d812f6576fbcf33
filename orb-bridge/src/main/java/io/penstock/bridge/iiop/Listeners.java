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
     * @param reference     that the client gave; null = none.
     * @param caller        where the client is.
     * @param isEncrypted   whether its connection is.
     * @param isWithHeaders whether the listener takes headers.
     * @return the listener.
     * @throws SystemException when there is none, it is elsewhere, or it would be sent in clear what the client is not.
     */
    Listener listener(
            final @Nullable Ior reference,
            final InetAddress caller,
            final boolean isEncrypted,
            final boolean isWithHeaders)
            throws SystemException {
        if (reference == null || reference.port() < 1) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw Failures.noCallback();
        }
        if (!hosts.isAllowed(reference.host(), caller)) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw Failures.callbackRefused(reference.host());
        }
        if (isEncrypted && hosts.isUnnamedElsewhere(reference.host(), caller)) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw Failures.callbackInClear(reference.host());
        }
        return new IiopListener(
                reference,
                isWithHeaders,
                config.fragmentLength(),
                host -> hosts.isAllowed(host, caller) && !(isEncrypted && hosts.isUnnamedElsewhere(host, caller)));
    }
}
