package io.penstock.bridge.rmiiiop;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.rmi.PortableRemoteObject;
import org.omg.CORBA.ORB;
import org.omg.CORBA.portable.ObjectImpl;

/** A broker in memory with the front end before it, and an ORB of a client. */
final class Harness implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String PREFIX = "com.sun.corba.ee.";
    private static final long AWAIT_S = 20;

    private final Broker broker;
    private final RmiIiopServer server;
    private final ORB orb;
    private final List<ORB> others = new ArrayList<>();

    Harness(final RmiIiopConfig config) throws IOException {
        this(config, BridgeConfig.defaults());
    }

    Harness(final RmiIiopConfig config, final BridgeConfig bounds) throws IOException {
        final String endpoint = "inproc:rmi-iiop-" + COUNT.incrementAndGet();
        broker = Broker.launch(BrokerConfig.builder()
                .listen(endpoint)
                .topic(new TopicConfig("state", false, "json", 0, "id", 0))
                .build());
        server = RmiIiopServer.launch(config, bounds, endpoint);
        orb = newOrb();
    }

    /** An ORB as clients have it. */
    private static ORB newOrb() {
        final Properties properties = new Properties();
        properties.setProperty("org.omg.CORBA.ORBClass", PREFIX + "impl.orb.ORBImpl");
        properties.setProperty("org.omg.CORBA.ORBSingletonClass", PREFIX + "impl.orb.ORBSingleton");
        properties.setProperty(PREFIX + "ORBServerHost", "127.0.0.1");
        properties.setProperty(PREFIX + "transport.ORBMaximumReadByteBufferSize", "67108864");
        return ORB.init(new String[0], properties);
    }

    RmiIiopServer server() {
        return server;
    }

    PenstockBroker guest() {
        return (PenstockBroker) PortableRemoteObject.narrow(guestObject(), PenstockBroker.class);
    }

    /** The reference of a listener that the client's ORB has exported. */
    String exported(final MessageListener listener) throws RemoteException {
        PortableRemoteObject.exportObject(listener);
        PortableRemoteObject.connect(listener, guest());
        return orb.object_to_string((org.omg.CORBA.Object) PortableRemoteObject.toStub(listener));
    }

    /** The guests' session by another connection. */
    PenstockBroker otherGuest() {
        final ORB other = newOrb();
        others.add(other);
        return (PenstockBroker)
                PortableRemoteObject.narrow(other.string_to_object(server.reference()), PenstockBroker.class);
    }

    ObjectImpl guestObject() {
        return (ObjectImpl) orb.string_to_object(server.reference());
    }

    /** Waits until something holds; returns whether it did. */
    static boolean await(final BooleanSupplier condition) {
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
        others.forEach(ORB::destroy);
        orb.destroy();
        server.close();
        broker.close();
    }
}
