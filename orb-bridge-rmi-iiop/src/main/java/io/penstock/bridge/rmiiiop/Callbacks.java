package io.penstock.bridge.rmiiiop;

import com.sun.corba.ee.spi.orb.ORB;
import io.penstock.bridge.callback.AllowedHosts;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.bridge.service.Listener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.protocol.ErrorCode;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;

/** Whom the bridge calls: listeners at their client's own address, and at those that are configured. Safe on any thread. */
final class Callbacks {
    private static final String REMEDY = " (use Callback.at with ORB.object_to_string of the stub of a listener that"
            + " PortableRemoteObject has exported)";
    private static final int REFERENCE_LENGTH_MAX = 16 * 1024;
    private static final int MINOR = 2;

    private final ORB orb;
    private final AllowedHosts hosts;
    private final BridgeCounters counters;

    Callbacks(final ORB orb, final RmiIiopConfig config, final BridgeCounters counters) {
        this.orb = orb;
        this.counters = counters;
        hosts = new AllowedHosts(config.callbackHosts());
    }

    /**
     * A listener of whom the thread's call has come from, when its address is allowed. Nobody is called yet.
     *
     * @param callback      that the client gave.
     * @param isWithHeaders whether the listener takes headers.
     * @return the listener.
     * @throws BrokerException when there is none, or it is elsewhere.
     */
    Listener listener(final Callback callback, final boolean isWithHeaders) throws BrokerException {
        try {
            final Ior reference = reference(callback);
            final InetAddress caller = CallRoom.caller().caller;
            if (!hosts.isAllowed(reference.host(), caller)) {
                throw Refusal.of(
                        ErrorCode.NOT_AUTHORIZED,
                        "callback: not the caller's address: " + reference.host()
                                + " (set com.sun.corba.ee.ORBServerHost in the client to the address that the bridge sees, "
                                + caller.getHostAddress() + ", or callbackHosts)");
            }
            return new RmiListener(orb, reference, isWithHeaders, host -> hosts.isAllowed(host, caller));
        } catch (final BrokerException e) {
            counters.add(BridgeCounter.CALLBACKS_REFUSED, 1);
            throw e;
        }
    }

    private static Ior reference(final Callback callback) throws BrokerException {
        final byte[] text = callback.reference();
        if (text.length == 0 || text.length > REFERENCE_LENGTH_MAX) {
            throw Refusal.of(ErrorCode.NOT_SUPPORTED, "callback: no reference: " + text.length + " bytes" + REMEDY);
        }
        final Ior reference;
        try {
            reference = Ior.parse(new String(text, StandardCharsets.US_ASCII));
        } catch (final IllegalArgumentException e) {
            // What it is instead may be long.
            throw Refusal.of(ErrorCode.NOT_SUPPORTED, "callback: no reference of an object of CORBA" + REMEDY);
        }
        if (reference.minor() < MINOR || reference.port() < 1) {
            throw Refusal.of(
                    ErrorCode.NOT_SUPPORTED,
                    "callback: cannot be called: GIOP 1." + reference.minor() + ", port " + reference.port() + REMEDY);
        }
        return reference;
    }
}
