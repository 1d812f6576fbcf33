package io.penstock.orb.pool;

import io.penstock.orb.PenstockBroker;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.NotBoundException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;

/**
 * Lets all threads of a program that call a bridge share a few connections, in place of one for each call that is under way.
 * Set once, before the first call; hosts that are no bridge get one for each call, made by {@link PoolConfig#sockets} as well:
 *
 * <pre>{@code
 * RMISocketFactory.setSocketFactory(new PooledSocketFactory(PoolConfig.defaults()));
 * }</pre>
 *
 * <p>Safe on any thread.
 */
public final class PooledSocketFactory extends RMISocketFactory implements Closeable {
    private static final int TICK_PARTS = 4;
    private static final long TICK_MS_MAX = 1_000;
    private static final int POOL_COUNT_MAX = 1_024;

    private final PoolConfig config;
    private final PoolCounters counters = new PoolCounters();
    private final Map<String, ConnectionPool> pools = new ConcurrentHashMap<>();
    private Thread keeper;

    /**
     * A pool without connections.
     *
     * @param config of it.
     */
    public PooledSocketFactory(final PoolConfig config) {
        this.config = config;
    }

    @Override
    public Socket createSocket(final String host, final int port) throws IOException {
        final String key = host + ":" + port;
        final ConnectionPool pool = pool(key, host, port);
        if (pool == null || pool.isPlain()) {
            return plain(host, port);
        }
        try {
            pool.prepare();
        } catch (final NotSharedException e) {
            if (pool.isBridge()) {
                throw e;
            }
            pool.plain();
            return plain(host, port);
        }
        return new PooledSocket(pool);
    }

    /** Null when there are connections to too many bridges: this one has no shared ones. */
    private ConnectionPool pool(final String key, final String host, final int port) {
        if (pools.size() >= POOL_COUNT_MAX && !pools.containsKey(key)) {
            pools.values().removeIf(each -> !each.isBridge() && !each.isUsed());
        }
        if (pools.size() >= POOL_COUNT_MAX && !pools.containsKey(key)) {
            return null;
        }
        return pools.computeIfAbsent(key, unused -> new ConnectionPool(host, port, config, counters, this::look));
    }

    /** A connection of its own, of the configured kind. */
    private Socket plain(final String host, final int port) throws IOException {
        counters.onPlain();
        final SocketFactory sockets = config.sockets();
        final Socket below = ConnectAttempt.unconnected(sockets);
        boolean isDone = false;
        try {
            below.connect(new InetSocketAddress(host, port), config.connectTimeoutMs());
            final Socket socket = ConnectAttempt.encrypted(config, below, host, port);
            isDone = true;
            return socket;
        } finally {
            if (!isDone) {
                below.close();
            }
        }
    }

    @Override
    public ServerSocket createServerSocket(final int port) throws IOException {
        return RMISocketFactory.getDefaultSocketFactory().createServerSocket(port);
    }

    /**
     * Finds a bridge. What its stub calls goes over this pool, whatever factory the program has set.
     *
     * @param host of the bridge.
     * @param port of the bridge.
     * @return the guests' session.
     * @throws IOException when there is no bridge.
     */
    public PenstockBroker lookup(final String host, final int port) throws IOException {
        try {
            return share((PenstockBroker)
                    LocateRegistry.getRegistry(host, port, this).lookup(PenstockBroker.NAME));
        } catch (final NotBoundException e) {
            throw new IOException("pool: " + host + ":" + port + ": a registry without a bridge: " + e.getMessage(), e);
        }
    }

    /**
     * Has a session called over this pool.
     *
     * @param session as a registry or {@link PenstockBroker#logon} has returned it.
     * @return the same session; it holds the other stub.
     * @throws IOException when it is no stub of the JDK's RMI.
     */
    public PenstockBroker share(final PenstockBroker session) throws IOException {
        return SharedStub.of(PenstockBroker.class, session, this);
    }

    /**
     * The counters of the pool.
     *
     * @return the counters, which go on.
     */
    public PoolCounters counters() {
        return counters;
    }

    private synchronized void look() {
        if (keeper == null) {
            keeper = new Thread(this::lookAfter, "penstock-pool");
            keeper.setDaemon(true);
            keeper.start();
        }
    }

    /** Ends when there is nothing to look after. */
    private void lookAfter() {
        final long tickMs = Math.max(
                1, Math.min(TICK_MS_MAX, Math.min(config.idleTimeoutMs(), config.callTimeoutMs()) / TICK_PARTS));
        while (true) {
            try {
                Thread.sleep(tickMs);
            } catch (final InterruptedException e) {
                // Only the program's end ends it earlier.
                continue;
            }
            final long nowNs = System.nanoTime();
            boolean isNeeded = false;
            for (final ConnectionPool each : pools.values()) {
                isNeeded |= each.lookAfter(nowNs);
            }
            if (!isNeeded && isOver()) {
                return;
            }
        }
    }

    private synchronized boolean isOver() {
        for (final ConnectionPool each : pools.values()) {
            if (each.isUsed()) {
                return false;
            }
        }
        keeper = null;
        return true;
    }

    /** Closes all connections. Calls that are under way fail; the next one makes a connection again. */
    @Override
    public void close() {
        for (final ConnectionPool each : pools.values()) {
            each.close();
        }
    }
}
