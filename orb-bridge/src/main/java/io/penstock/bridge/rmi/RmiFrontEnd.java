package io.penstock.bridge.rmi;

import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeService;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.Listener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.rmi.AlreadyBoundException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Serves RMI clients: a registry that can be read and not changed, the guests' session in it, and a session for each client
 * that logs on, all on one port. Safe on any thread.
 */
public final class RmiFrontEnd implements ServedSessions, AutoCloseable {
    private static final String HOST_PROPERTY = "java.rmi.server.hostname";

    /**
     * How long the runtime keeps a thread whose connection has ended: a minute unless this is set, and read once in a
     * process. The thread has a stack and the direct buffer with which its last connection was read.
     */
    private static final String KEEP_ALIVE_PROPERTY = "sun.rmi.transport.tcp.threadKeepAliveTime";

    private static final String KEEP_ALIVE_MS = "2000";

    private final RmiConfig config;
    private final BridgeService service;
    private final CallerServerSocket sockets;
    private final @Nullable RMIClientSocketFactory clientSockets;
    private final ObjectInputFilter filter;
    private final CallbackAddresses addresses;
    // Not held: the runtime holds a servant as long as a client says that it has its stub.
    private final Map<BridgeSession, WeakReference<SessionServant>> opened = new ConcurrentHashMap<>();
    // Held, or the runtime's collector takes them.
    private final SessionServant guest;
    private final Registry registry;

    private RmiFrontEnd(final BridgeService service, final CallerServerSocket sockets, final boolean isEncrypted)
            throws RemoteException {
        this.service = service;
        this.sockets = sockets;
        config = service.config().rmi();
        clientSockets = isEncrypted ? new SslRMIClientSocketFactory() : null;
        filter = new CallFilter(service.config(), service.counters());
        addresses = new CallbackAddresses(config.callbackHosts(), service.counters());
        guest = new SessionServant(service.guest(), this);
        registry = LocateRegistry.createRegistry(port(), clientSockets, sockets);
    }

    /**
     * Begins to serve.
     *
     * @param service      to serve.
     * @param certificates for TLS; null when there are none.
     * @return the front end.
     * @throws IOException              when it cannot listen.
     * @throws IllegalArgumentException when the configuration would let anybody in, or wants TLS without certificates.
     */
    public static RmiFrontEnd start(final BridgeService service, final @Nullable TlsContexts certificates)
            throws IOException {
        final RmiConfig config = service.config().rmi();
        if (config.tls() && certificates == null) {
            throw new IllegalArgumentException(
                    "bridge.rmi.tls: is true, but there is no certificate (give tls.certificate and tls.key)");
        }
        final TlsContexts tls = config.tls() ? certificates : null;
        checkAddress(config, tls != null && tls.areClientsIdentified());
        final CallerServerSocket sockets;
        try {
            sockets = new CallerServerSocket(service.config(), service.counters(), tls);
        } catch (final IOException e) {
            throw new IOException(
                    "bridge.rmi: cannot listen on " + config.address() + ":" + config.port() + ": " + e.getMessage()
                            + " (use another port, or 0 for a free one)",
                    e);
        }
        final RmiFrontEnd frontEnd;
        try {
            setHost(config);
            setKeepAlive();
            frontEnd = new RmiFrontEnd(service, sockets, tls != null);
        } catch (final IOException | RuntimeException e) {
            sockets.close();
            throw new IOException("bridge.rmi: cannot be served: " + e.getMessage(), e);
        }
        try {
            frontEnd.registry.bind(PenstockBroker.NAME, frontEnd.export(frontEnd.guest));
        } catch (final AlreadyBoundException | RemoteException e) {
            frontEnd.close();
            throw new IOException("bridge.rmi: cannot be served: " + e.getMessage(), e);
        }
        service.inTurn(sockets::closeStuck);
        service.inTurn(nowNs -> frontEnd.closeUnheld());
        return frontEnd;
    }

    private static void checkAddress(final RmiConfig config, final boolean areClientsIdentified) throws IOException {
        if (!InetAddress.getByName(config.address()).isLoopbackAddress()
                && !config.allowInsecureListen()
                && !areClientsIdentified) {
            throw new IllegalArgumentException("bridge.rmi.address: other machines can reach it: " + config.address()
                    + " (use 127.0.0.1, or bridge.rmi.tls with tls.clientCertificates: required;"
                    + " bridge.rmi.allowInsecureListen if the network is trusted)");
        }
    }

    /** Stubs name the host that the runtime finds in this property when an object is exported. */
    private static void setHost(final RmiConfig config) throws IOException {
        final String host = config.host().isEmpty() ? config.address() : config.host();
        if (!config.host().isEmpty()
                || (System.getProperty(HOST_PROPERTY) == null
                        && !InetAddress.getByName(host).isAnyLocalAddress())) {
            System.setProperty(HOST_PROPERTY, host);
        }
    }

    /** Does nothing where the process has set it, or where its runtime was used before. */
    private static void setKeepAlive() {
        if (System.getProperty(KEEP_ALIVE_PROPERTY) == null) {
            System.setProperty(KEEP_ALIVE_PROPERTY, KEEP_ALIVE_MS);
        }
    }

    private PenstockBroker export(final SessionServant servant) throws RemoteException {
        return (PenstockBroker) UnicastRemoteObject.exportObject(servant, port(), clientSockets, sockets, filter);
    }

    /**
     * Where it listens.
     *
     * @return the real port.
     */
    public int port() {
        return sockets.getLocalPort();
    }

    /**
     * Whether messages that were taken are on their way to a client.
     *
     * @return false when all are sent.
     */
    public boolean isHandingOver() {
        return sockets.isHandingOver();
    }

    @Override
    public PenstockBroker open(final Credentials credentials) throws RemoteException, BrokerException {
        final CallerSocket caller = CallerSocket.current();
        final BridgeSession session = caller == null
                ? service.logon(credentials)
                : service.logon(
                        credentials,
                        caller.identity(),
                        caller.peer(),
                        caller.caller().isLoopbackAddress());
        final SessionServant servant = new SessionServant(session, this);
        opened.put(session, new WeakReference<>(servant));
        try {
            export(servant);
            // The runtime sends the stub instead, and holds the servant until the client has it.
            return servant;
        } catch (final RemoteException e) {
            close(servant);
            throw e;
        }
    }

    @Override
    public Listener listener(final Callback callback, final boolean isWithHeaders) throws RemoteException {
        try {
            return addresses.listener(callback, isWithHeaders);
        } catch (final InvalidObjectException e) {
            throw new UnmarshalException("subscribeWithCallback: refused", e);
        }
    }

    @Override
    public void close(final SessionServant servant) {
        opened.remove(servant.session());
        unexport(servant);
        servant.session().close();
    }

    /**
     * Closes the sessions of clients that never reported that they have the stub, so that the collector does not report
     * their end.
     */
    private void closeUnheld() {
        opened.forEach((session, servant) -> {
            if (servant.refersTo(null) && opened.remove(session, servant)) {
                service.closeLater(session);
            }
        });
    }

    private static void unexport(final Remote object) {
        try {
            UnicastRemoteObject.unexportObject(object, true);
        } catch (final NoSuchObjectException e) {
            // It was not exported, or is not any more.
            return;
        }
    }

    /** Closes all connections and ends the sessions that were opened here. Idempotent. */
    @Override
    public void close() {
        opened.values().forEach(each -> {
            final SessionServant servant = each.get();
            if (servant != null) {
                close(servant);
            }
        });
        close(guest);
        unexport(registry);
        try {
            sockets.close();
        } catch (final IOException e) {
            throw new UncheckedIOException("bridge.rmi: cannot be closed: " + e.getMessage(), e);
        }
    }
}
