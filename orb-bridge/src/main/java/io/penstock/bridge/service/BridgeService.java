package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.client.BookmarkStore;
import io.penstock.client.PenstockException;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.protocol.ErrorCode;
import io.penstock.transport.PeerIdentity;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The service behind all front ends: sessions with one broker. Every request goes to the broker by the native client of
 * its session, so that the broker decides about it as about any client's. Safe on any thread.
 */
public final class BridgeService implements AutoCloseable {
    static final int SHARD_COUNT_MAX = 1024;

    private static final System.Logger LOG = System.getLogger(BridgeService.class.getName());
    private static final int POOL_THREAD_COUNT = 2;
    private static final long POOL_IDLE_S = 10;
    private static final int TICK_MS_MAX = 250;
    private static final int SECRET_LENGTH = 16;

    private final BridgeConfig config;
    private final BrokerAccess access;
    private final BridgeCounters counters = new BridgeCounters();
    private final HeldLength held;
    private final BookmarkStore bookmarks;
    private final SubscriptionNames names;
    private final CallbackPool callbacks;
    // Separate threads: an end may wait for the broker, and a pause that comes late loses a subscription.
    private final ExecutorService enders;
    private final ScheduledThreadPoolExecutor timer;
    private final BridgeRooms rooms;
    private final Set<BridgeSession> sessions = ConcurrentHashMap.newKeySet();
    private final List<LongConsumer> works = new CopyOnWriteArrayList<>();
    private final SecureRandom random = new SecureRandom();
    private final BridgeSession guest;
    private volatile boolean isClosed;

    /**
     * Makes a service. Each session connects when it begins, the guests' with the first request of a guest.
     *
     * @param config   bounds.
     * @param endpoint of the broker.
     * @throws PenstockException when the file of bookmarks cannot be used.
     */
    public BridgeService(final BridgeConfig config, final String endpoint) {
        this(config, endpoint, CallerProof.NONE);
    }

    /**
     * Makes a service whose clients the broker may know by what their connections prove.
     *
     * @param config   bounds.
     * @param endpoint of the broker.
     * @param proof    has the broker know them.
     * @throws PenstockException when the file of bookmarks cannot be used.
     */
    public BridgeService(final BridgeConfig config, final String endpoint, final CallerProof proof) {
        this.config = config;
        access = new BrokerAccess(endpoint, proof);
        held = new HeldLength(config.heldLengthMax());
        rooms = new BridgeRooms(config, counters);
        // A guest needs no connection before he comes: the broker may refuse clients without credentials.
        guest = new BridgeSession(this, new Credentials("", "", ""), true, false);
        bookmarks = config.bookmarks().isEmpty()
                ? BookmarkStore.inMemory()
                : BookmarkStore.inFile(Path.of(config.bookmarks()));
        names = new SubscriptionNames(bookmarks);
        callbacks = new CallbackPool(config.callbackThreadCountMax());
        enders = pool("penstock-bridge-end");
        timer = new ScheduledThreadPoolExecutor(1, new DaemonThreads("penstock-bridge-leases"));
        final int tickMs = Math.max(10, Math.min(TICK_MS_MAX, config.leaseMs() / 4));
        final var unused = timer.scheduleWithFixedDelay(this::tick, tickMs, tickMs, TimeUnit.MILLISECONDS);
        sessions.add(guest);
    }

    private static ExecutorService pool(final String name) {
        final ThreadPoolExecutor pool = new ThreadPoolExecutor(
                POOL_THREAD_COUNT,
                POOL_THREAD_COUNT,
                POOL_IDLE_S,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DaemonThreads(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    public BridgeConfig config() {
        return config;
    }

    public BridgeCounters counters() {
        return counters;
    }

    /** The session of all clients that have not logged on. */
    public BridgeSession guest() {
        return guest;
    }

    /**
     * Begins a session.
     *
     * @param credentials for the broker.
     * @return the session; the caller closes it.
     * @throws BrokerException when the broker refuses it, or there are too many.
     */
    public BridgeSession logon(final Credentials credentials) throws BrokerException {
        return logon(credentials, false);
    }

    /**
     * Begins a session of a client whose connection may prove who it is: it does when the client names no user.
     *
     * @param credentials for the broker.
     * @param identity    what the connection proves.
     * @param peer        where it is, for example {@code rmi://127.0.0.1:40112}.
     * @param isLocal     whether that is on this machine.
     * @return the session; the caller closes it.
     * @throws BrokerException when the broker refuses it, or there are too many.
     */
    public BridgeSession logon(
            final Credentials credentials, final PeerIdentity identity, final String peer, final boolean isLocal)
            throws BrokerException {
        if (!credentials.user().isEmpty() || identity.certificates().isEmpty()) {
            return logon(credentials, false);
        }
        final byte[] secret = new byte[SECRET_LENGTH];
        random.nextBytes(secret);
        final String clientName = "bridge-" + HexFormat.of().formatHex(secret);
        final String user = access.proof().prove(identity, peer, isLocal, clientName);
        return user == null ? logon(credentials, false) : logon(new Credentials(clientName, user, ""), true);
    }

    private BridgeSession logon(final Credentials credentials, final boolean isProved) throws BrokerException {
        final BridgeSession session;
        try {
            checkOpen();
            if (!isProved && credentials.user().isEmpty() && !credentials.password().isEmpty()) {
                throw Refusals.of(
                        ErrorCode.AUTHENTICATION_FAILED,
                        "logon: a password without a user, which proves nothing (give both, or neither)");
            }
            rooms.acquireSession();
            session = new BridgeSession(this, credentials, false, isProved);
        } catch (final BrokerException e) {
            if (isProved) {
                access.proof().forget(credentials.name());
            }
            throw e;
        }
        sessions.add(session);
        try {
            session.connect();
            if (isClosed) {
                throw Refusals.of(ErrorCode.SHUTTING_DOWN, "logon: the bridge is closing (connect again later)");
            }
        } catch (final BrokerException | RuntimeException e) {
            session.close();
            throw e;
        }
        counters.add(BridgeCounter.SESSIONS, 1);
        return session;
    }

    BrokerAccess access() {
        return access;
    }

    void onClosed(final BridgeSession session) {
        if (sessions.remove(session) && !session.isGuest()) {
            rooms.releaseSession();
        }
    }

    /** Room for sessions, subscriptions and queries. */
    BridgeRooms rooms() {
        return rooms;
    }

    void acquireSubscription() throws BrokerException {
        checkOpen();
        rooms.acquireSubscription();
    }

    void acquireQuery() throws BrokerException {
        checkOpen();
        rooms.acquireQuery();
    }

    private void checkOpen() throws BrokerException {
        if (isClosed) {
            throw Refusals.of(ErrorCode.SHUTTING_DOWN, "bridge: is closing (connect again later)");
        }
    }

    /** A number that nobody guesses. */
    long newId() {
        long id;
        do {
            id = random.nextLong() & Long.MAX_VALUE;
        } while (id == 0);
        return id;
    }

    HeldLength held() {
        return held;
    }

    SubscriptionNames names() {
        return names;
    }

    CallbackPool callbacks() {
        return callbacks;
    }

    /** Has something ended, which may wait for the broker. */
    Executor enders() {
        return enders;
    }

    /**
     * The length of everything that waits for clients.
     *
     * @return in bytes, as it counts towards the bound.
     */
    public long heldLength() {
        return held.length();
    }

    /**
     * Whether a client is being called.
     *
     * @return false when no call is under way.
     */
    public boolean isCalling() {
        return callbacks.isCalling();
    }

    /**
     * Has a front end look after its connections in turn, until the service is closed.
     *
     * @param work is given the time of {@link System#nanoTime()}; waits for nobody.
     */
    public void inTurn(final LongConsumer work) {
        works.add(work);
    }

    /**
     * The threads that call clients at present.
     *
     * @return count.
     */
    public int callbackThreadCount() {
        return callbacks.threadCount();
    }

    /**
     * Ends a session on another thread, since the end may wait for the broker.
     *
     * @param session whose client has disconnected.
     */
    public void closeLater(final BridgeSession session) {
        try {
            enders.execute(session::close);
        } catch (final RejectedExecutionException e) {
            // The bridge is closing, and all sessions with it.
            return;
        }
    }

    private void tick() {
        final long nowNs = System.nanoTime();
        works.forEach(work -> guarded(work, nowNs));
        guarded(callbacks::writeOffWhatIsStuck, nowNs);
        sessions.forEach(session -> guarded(session::endWhatIsOver, nowNs));
    }

    /** A failure of one task costs no other its turn: otherwise the timer would end for good. */
    private static void guarded(final LongConsumer work, final long nowNs) {
        try {
            work.accept(nowNs);
        } catch (final Throwable e) {
            LOG.log(System.Logger.Level.WARNING, "bridge: failed to look after its clients; goes on", e);
        }
    }

    /** Ends all sessions. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        timer.shutdownNow();
        sessions.forEach(BridgeSession::close);
        callbacks.close();
        enders.shutdownNow();
        bookmarks.close();
    }
}
