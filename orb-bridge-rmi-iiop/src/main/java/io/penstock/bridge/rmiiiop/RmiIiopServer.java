package io.penstock.bridge.rmiiiop;

import com.sun.corba.ee.impl.orb.ORBImpl;
import com.sun.corba.ee.spi.orb.ORB;
import com.sun.corba.ee.spi.threadpool.ThreadPoolManager;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeService;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.rmi.CORBA.Tie;
import javax.rmi.PortableRemoteObject;
import org.omg.CORBA.UserException;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import org.omg.PortableServer.Servant;

/**
 * Serves the contract to RMI-IIOP clients, by GlassFish's ORB on one port. Safe on any thread.
 *
 * <p>The ORB makes arrays as long as a client says before it has read them. Run it in a process of its own, or among
 * programs that are trusted.
 */
public final class RmiIiopServer implements Sessions, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RmiIiopServer.class.getName());

    /** The object key of the guests' session. */
    public static final String KEY = "PenstockRmiBroker";

    // The library by which the ORB describes itself to management fails without it.
    private static final String GMBAL_PROPERTY = "org.glassfish.gmbal.no.multipleUpperBoundsException";

    // Classes are not looked for where a client says.
    private static final String CODEBASE_PROPERTY = "java.rmi.server.useCodebaseOnly";

    private static final String PREFIX = "com.sun.corba.ee.";

    private final RmiIiopConfig config;
    private final BridgeService service;
    private final ORB orb;
    private final OrbSockets sockets;
    private final CallRoom calls;
    private final Taking taking;
    private final Callbacks callbacks;
    private final POA poa;
    private final Map<BridgeSession, Tie> opened = new ConcurrentHashMap<>();
    private final String reference;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private RmiIiopServer(
            final RmiIiopConfig config,
            final BridgeService service,
            final ORB orb,
            final OrbSockets sockets,
            final CallRoom calls)
            throws UserException {
        this.config = config;
        this.service = service;
        this.orb = orb;
        this.sockets = sockets;
        this.calls = calls;
        taking = new Taking(calls, service.config());
        callbacks = new Callbacks(orb, config, service.counters());
        poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
        final org.omg.CORBA.Object guest = activate(new SessionServant(service.guest(), this, taking, callbacks));
        ((ORBImpl) orb).register_initial_reference(KEY, guest);
        reference = orb.object_to_string(guest);
        poa.the_POAManager().activate();
    }

    /**
     * Begins to serve.
     *
     * @param config   where.
     * @param bounds   what clients may ask for; the front ends in it are not used.
     * @param endpoint of the broker, for example {@code tcp://127.0.0.1:9100}.
     * @return the server.
     * @throws IOException              when it cannot listen.
     * @throws IllegalArgumentException when other machines could reach it, and that is not allowed.
     */
    public static RmiIiopServer launch(final RmiIiopConfig config, final BridgeConfig bounds, final String endpoint)
            throws IOException {
        final InetAddress address = InetAddress.getByName(config.address());
        if (!address.isLoopbackAddress() && !config.allowInsecureListen()) {
            throw new IllegalArgumentException("address: other machines can reach it: " + config.address()
                    + " (use 127.0.0.1; allowInsecureListen if all who can reach it are trusted)");
        }
        if (Taking.answerLengthMax(bounds) > config.callsLengthMax() / 2) {
            throw new IllegalArgumentException("callsLengthMax: too short for an answer: " + config.callsLengthMax()
                    + " (use " + 2 * Taking.answerLengthMax(bounds) + " or more)");
        }
        System.setProperty(GMBAL_PROPERTY, "true");
        System.setProperty(CODEBASE_PROPERTY, "true");
        final ORB orb = (ORB) org.omg.CORBA.ORB.init(new String[0], properties(config, address));
        final BridgeService service;
        try {
            service = new BridgeService(bounds, endpoint);
        } catch (final RuntimeException e) {
            orb.destroy();
            throw e;
        }
        try {
            final OrbSockets sockets = (OrbSockets) orb.getORBData().getSocketFactory();
            final CallRoom calls = new CallRoom(config, service.counters());
            useThreads(orb, new CallThreads(config));
            sockets.configure(config, service.counters(), calls);
            orb.classCodeBaseHandler(new DeclaredClasses(service.counters()));
            final RmiIiopServer server = new RmiIiopServer(config, service, orb, sockets, calls);
            service.inTurn(server::endIdle);
            service.inTurn(sockets::closeStuck);
            service.inTurn(nowNs -> DeclaredClasses.forgetIds());
            return server;
        } catch (final UserException | RuntimeException e) {
            orb.destroy();
            service.close();
            throw new IOException(
                    "rmi-iiop: cannot listen on " + config.address() + ":" + config.port() + ": " + e
                            + " (use another port, or 0 for a free one)",
                    e);
        }
    }

    private static void useThreads(final ORB orb, final CallThreads threads) throws IOException {
        final ThreadPoolManager unbounded = orb.getThreadPoolManager();
        orb.setThreadPoolManager(threads);
        unbounded.close();
    }

    private static Properties properties(final RmiIiopConfig config, final InetAddress address) {
        final Properties properties = new Properties();
        properties.setProperty("org.omg.CORBA.ORBClass", PREFIX + "impl.orb.ORBImpl");
        properties.setProperty("org.omg.CORBA.ORBSingletonClass", PREFIX + "impl.orb.ORBSingleton");
        properties.setProperty(PREFIX + "ORBServerHost", address.getHostAddress());
        properties.setProperty(PREFIX + "POA.ORBPersistentServerPort", String.valueOf(config.port()));
        properties.setProperty(PREFIX + "transport.ORBSocketFactoryClass", OrbSockets.class.getName());
        properties.setProperty(PREFIX + "transport.ORBConnectionSocketType", "Socket");
        properties.setProperty(PREFIX + "transport.ORBAcceptorSocketType", "Socket");
        properties.setProperty(
                PREFIX + "transport.ORBMaximumReadByteBufferSize", String.valueOf(config.callLengthMax() + 1024));
        properties.setProperty(PREFIX + "giop.ORBFragmentSize", String.valueOf(64 * 1024));
        properties.setProperty(PREFIX + "giop.ORBBufferSize", String.valueOf(64 * 1024));
        return properties;
    }

    private org.omg.CORBA.Object activate(final SessionServant servant) throws UserException {
        final Tie tie = ORB.getPresentationManager().getTie();
        tie.setTarget(servant);
        opened.put(servant.session(), tie);
        return poa.servant_to_reference((Servant) tie);
    }

    /**
     * Where it listens.
     *
     * @return the real port.
     */
    public int port() {
        return orb.getLegacyServerSocketManager().legacyGetTransientServerPort("IIOP_CLEAR_TEXT");
    }

    /**
     * The guests' session.
     *
     * @return {@code IOR:…}.
     */
    public String reference() {
        return reference;
    }

    /**
     * Reads a counter.
     *
     * @param counter what.
     * @return the count.
     */
    public long counter(final BridgeCounter counter) {
        return service.counters().get(counter);
    }

    /** The threads of the ORB. */
    int threadCount() {
        return orb.getThreadPoolManager().getDefaultThreadPool().currentNumberOfThreads();
    }

    CallRoom calls() {
        return calls;
    }

    @Override
    public PenstockBroker open(final Credentials who) throws BrokerException {
        final BridgeSession session = service.logon(who);
        try {
            return (PenstockBroker) PortableRemoteObject.narrow(
                    activate(new SessionServant(session, this, taking, callbacks)), PenstockBroker.class);
        } catch (final UserException | RuntimeException e) {
            close(session);
            throw new IllegalStateException("rmi-iiop: the ORB does not take a session: " + e, e);
        }
    }

    @Override
    public void close(final SessionServant servant) {
        close(servant.session());
    }

    private void close(final BridgeSession session) {
        if (deactivate(session)) {
            session.close();
        }
    }

    /** Clients find it no more; returns false when that was so already. */
    private boolean deactivate(final BridgeSession session) {
        final Tie tie = opened.remove(session);
        if (tie == null) {
            return false;
        }
        try {
            tie.deactivate();
        } catch (final java.rmi.NoSuchObjectException | RuntimeException e) {
            // The object is removed already, as intended, or the ORB never had it. The caller ends the session in any
            // case.
            LOG.log(System.Logger.Level.DEBUG, "rmi-iiop: the ORB does not let go of a session", e);
        }
        return true;
    }

    private void endIdle(final long nowNs) {
        final long idleNs = TimeUnit.MILLISECONDS.toNanos(config.idleTimeoutMs());
        opened.forEach((session, tie) -> {
            if (!session.isGuest() && !session.isCalled() && ((SessionServant) tie.getTarget()).isIdle(nowNs, idleNs)) {
                service.counters().add(BridgeCounter.LEASES_EXPIRED, 1);
                if (deactivate(session)) {
                    service.closeLater(session);
                }
            }
        });
    }

    /**
     * Closes all connections of clients, and those to the broker. Waits for no client: calls under way are ended. Idempotent.
     */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            service.close();
            sockets.closeAll();
            // A destroy by itself would wait for the calls without limit.
            orb.shutdown(false);
            orb.destroy();
        }
    }
}
