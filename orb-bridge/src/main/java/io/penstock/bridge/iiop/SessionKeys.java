package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.service.BridgeService;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The sessions that references name, by the keys in them. Those of clients cannot be guessed. Safe on any thread. */
final class SessionKeys {
    /** Key of the guests' session. */
    static final String GUEST_KEY = "PenstockBroker";

    private static final String PREFIX = "PenstockSession/";
    private static final int RANDOM_LENGTH = 16;

    private final BridgeService service;
    private final String host;
    private final int port;
    private final Ior.@Nullable Secure secure;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, IiopSession> byKey = new ConcurrentHashMap<>();

    /**
     * Begins with the guests' session.
     *
     * @param service has sessions.
     * @param host    that references name.
     * @param port    likewise; 0 when there is none without TLS.
     * @param secure  likewise; null when there is no TLS.
     */
    SessionKeys(
            final BridgeService service, final String host, final int port, final Ior.@Nullable Secure secure) {
        this.service = service;
        this.host = host;
        this.port = port;
        this.secure = secure;
        byKey.put(GUEST_KEY, new IiopSession(service.guest(), GUEST_KEY));
    }

    @Nullable
    IiopSession find(final String key) {
        return byKey.get(key);
    }

    /** A reference to a session. */
    Ior reference(final String key) {
        return new Ior(Values.BROKER_TYPE, 2, host, port, key, true, secure);
    }

    IiopSession open(final Credentials credentials, final IiopConnection caller) throws BrokerException {
        final BridgeSession session = service.logon(
                credentials,
                caller.identity(),
                ConnectionStart.peer(caller.callerAddress()),
                caller.caller().isLoopbackAddress());
        final byte[] bytes = new byte[RANDOM_LENGTH];
        random.nextBytes(bytes);
        final IiopSession opened =
                new IiopSession(session, PREFIX + HexFormat.of().formatHex(bytes));
        byKey.put(opened.key(), opened);
        return opened;
    }

    void close(final IiopSession closed) {
        byKey.remove(closed.key());
        closed.end();
        closed.session().close();
    }

    /** Called in turn: ends the sessions of clients that have disconnected. */
    void closeWhatIsOver(final long nowNs) {
        final int leaseMs = service.config().leaseMs();
        byKey.values().removeIf(each -> {
            final boolean isOver = each.isOver(nowNs, leaseMs);
            if (isOver) {
                each.end();
                service.closeLater(each.session());
            }
            return isOver;
        });
    }

    void close() {
        byKey.values().forEach(each -> each.session().close());
        byKey.clear();
    }
}
