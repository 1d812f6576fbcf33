package io.penstock.bridge;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeService;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.client.PenstockClient;
import io.penstock.orb.PenstockBroker;
import io.penstock.transport.tls.TlsConfig;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A broker in memory with a bridge before it, and a native client. */
public final class Harness implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long AWAIT_S = 20;

    private final Broker broker;
    private final Bridge bridge;
    private final PenstockClient client;
    private final String endpoint;
    private final BridgeConfig config;
    private @Nullable BridgeService direct;

    private Harness(
            final String name,
            final BridgeConfig config,
            final SecurityConfig security,
            final String password,
            final TlsConfig tls) {
        endpoint = "inproc:" + name;
        this.config = config;
        broker = Broker.launch(BrokerConfig.builder()
                .listen(endpoint)
                .topic(TopicConfig.topic("bytes", "binary"))
                .security(security)
                .tls(tls)
                .build());
        bridge = Bridge.launch(config, endpoint, new BridgeSecurity(broker.tls(), new GateProof(broker.gate())));
        client = PenstockClient.connect(
                ClientConfig.builder(endpoint)
                        .credentials(() -> new LogonCredentials(LogonMechanism.PLAIN, "", password))
                        .build());
    }

    public static Harness of(final BridgeConfig config) {
        return of(config, SecurityConfig.defaults(), "");
    }

    public static Harness of(final BridgeConfig config, final SecurityConfig security, final String password) {
        return new Harness("bridge-" + COUNT.incrementAndGet(), config, security, password, TlsConfig.defaults());
    }

    /** Encrypts; the native client is anonymous. */
    public static Harness of(final BridgeConfig config, final SecurityConfig security, final TlsConfig tls) {
        return new Harness("bridge-" + COUNT.incrementAndGet(), config, security, "", tls);
    }

    public static Harness start() {
        return of(BridgeConfig.onRmiPort(0));
    }

    public Bridge bridge() {
        return bridge;
    }

    public Broker broker() {
        return broker;
    }

    public String endpoint() {
        return endpoint;
    }

    public PenstockClient client() {
        return client;
    }

    public int port() {
        return bridge.rmiPort();
    }

    public PenstockBroker lookup() throws RemoteException, NotBoundException {
        return (PenstockBroker) LocateRegistry.getRegistry("127.0.0.1", port()).lookup(PenstockBroker.NAME);
    }

    public BridgeConfig config() {
        return config;
    }

    /** A service beside the bridge, whose counters are asked from now on; closed by its user. */
    public BridgeService newService() {
        final BridgeService service = new BridgeService(config, endpoint);
        direct = service;
        return service;
    }

    public long counter(final BridgeCounter counter) {
        final BridgeService service = direct;
        return service == null ? bridge.counter(counter) : service.counters().get(counter);
    }

    /** Waits until something holds; returns whether it did. */
    public static boolean await(final BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(AWAIT_S);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    @Override
    public void close() {
        bridge.close();
        client.close();
        broker.close();
    }
}
