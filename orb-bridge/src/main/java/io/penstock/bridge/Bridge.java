package io.penstock.bridge;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.iiop.IiopFrontEnd;
import io.penstock.bridge.rmi.RmiFrontEnd;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeService;
import io.penstock.client.PenstockException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Serves RMI and CORBA clients with what one broker has. Embedded in a program beside its broker, or run by the runnable jar. Safe on
 * any thread.
 *
 * <pre>{@code
 * try (Broker broker = Broker.launch(BrokerConfig.embedded("main"));
 *         Bridge bridge = Bridge.launch(BridgeConfig.onRmiPort(1099), "inproc:main")) {
 *     ...
 * }
 * }</pre>
 */
public final class Bridge implements AutoCloseable {
    private final BridgeService service;
    private final @Nullable RmiFrontEnd rmi;
    private final @Nullable IiopFrontEnd iiop;

    private Bridge(final BridgeService service, final @Nullable RmiFrontEnd rmi, final @Nullable IiopFrontEnd iiop) {
        this.service = service;
        this.rmi = rmi;
        this.iiop = iiop;
    }

    /**
     * Starts a bridge.
     *
     * @param config   of it.
     * @param endpoint of the broker, for example {@code inproc:main} or {@code tcp://127.0.0.1:9100}.
     * @return the bridge, which serves clients already.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when it cannot listen, or a file cannot be read.
     * @throws PenstockException        when the file of bookmarks cannot be used.
     */
    public static Bridge launch(final BridgeConfig config, final String endpoint) {
        return launch(config, endpoint, BridgeSecurity.NONE);
    }

    /**
     * Starts a bridge that encrypts.
     *
     * @param config   of it.
     * @param endpoint of the broker, for example {@code inproc:main} or {@code tcp://127.0.0.1:9100}.
     * @param security has its certificates, and the broker know clients by theirs.
     * @return the bridge, which serves clients already.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when it cannot listen, or a file cannot be read.
     * @throws PenstockException        when the file of bookmarks cannot be used.
     */
    public static Bridge launch(final BridgeConfig config, final String endpoint, final BridgeSecurity security) {
        if (config.iiop().isUsed()) {
            requireNetty();
        }
        final BridgeService service = new BridgeService(config, endpoint, security.proof());
        RmiFrontEnd rmi = null;
        try {
            rmi = config.rmi().isUsed() ? RmiFrontEnd.start(service, security.tls()) : null;
            return new Bridge(service, rmi, config.iiop().isUsed() ? IiopFrontEnd.start(service, security.tls()) : null);
        } catch (final IOException e) {
            closeAll(rmi, service);
            throw new UncheckedIOException(e.getMessage(), e);
        } catch (final RuntimeException e) {
            closeAll(rmi, service);
            throw e;
        }
    }

    /** Netty may be left out; without it a class deep inside would be missing. */
    private static void requireNetty() {
        try {
            Class.forName("io.netty.channel.Channel", false, Bridge.class.getClassLoader());
        } catch (final ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "bridge.iiop: needs Netty, which is not on the class path (add io.netty:netty-transport, 4.1 or 4.2, or"
                            + " leave bridge.iiop out)",
                    e);
        }
    }

    private static void closeAll(final @Nullable RmiFrontEnd rmi, final BridgeService service) {
        if (rmi != null) {
            rmi.close();
        }
        service.close();
    }

    /**
     * Where RMI clients find the registry.
     *
     * @return the port; -1 when they are not served.
     */
    public int rmiPort() {
        return rmi == null ? -1 : rmi.port();
    }

    /**
     * Where CORBA clients connect.
     *
     * @return the port; -1 when they are not served.
     */
    public int iiopPort() {
        return iiop == null ? -1 : iiop.port();
    }

    /**
     * The reference that CORBA clients begin with, to the guests' session.
     *
     * @return {@code IOR:…}; empty when they are not served.
     */
    public String ior() {
        return iiop == null ? "" : iiop.ior();
    }

    /**
     * The threads that serve CORBA clients: those that read and write, and those that wait for the broker at present.
     *
     * @return count; 0 when they are not served.
     */
    public int iiopThreadCount() {
        return iiop == null ? 0 : iiop.threadCount();
    }

    /**
     * Reads a counter of the bridge.
     *
     * @param counter what.
     * @return the count.
     */
    public long counter(final BridgeCounter counter) {
        return service.counters().get(counter);
    }

    /**
     * The length of everything that waits for clients.
     *
     * @return in bytes, as it counts towards {@code bridge.heldLengthMax}.
     */
    public long heldLength() {
        return service.heldLength();
    }

    /**
     * Whether everything was handed over: nothing waits for a client, no client is being called, and no answer with
     * messages is on its way. Messages that a client takes at this moment may be missed: ask twice.
     *
     * @return true when closing cuts off no message that has come from the broker.
     */
    public boolean isIdle() {
        return heldLength() == 0
                && !service.isCalling()
                && (rmi == null || !rmi.isHandingOver())
                && (iiop == null || !iiop.isHandingOver());
    }

    /** Closes all connections of clients, and those to the broker. Idempotent. */
    @Override
    public void close() {
        if (iiop != null) {
            iiop.close();
        }
        closeAll(rmi, service);
    }
}
