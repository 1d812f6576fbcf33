package io.penstock.jmh.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.WindowConfig;
import io.penstock.broker.security.Principal;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.SubscribeRequest;
import io.penstock.jmh.CountingListener;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/** A broker with a publisher and a subscriber, all on one thread. */
final class DeliveryCase {
    private static final int MESSAGES = 40_000;
    private static final int BATCH = 32;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final UnsafeBuffer TOPIC = new UnsafeBuffer("orders".getBytes(UTF_8));

    private final String name;
    private final UnsafeBuffer message;
    private final Broker broker;
    private final ClientSession publisher;
    private final ClientSession subscriber;
    private final CountingListener seen = new CountingListener();

    /**
     * Launches it.
     *
     * @param name        for people; others have other names.
     * @param message     that is published each time.
     * @param permissions of both clients.
     * @param filter      of the subscriber; empty for none.
     */
    DeliveryCase(
            final String name, final UnsafeBuffer message, final PermissionsConfig permissions, final String filter) {
        this.name = name;
        this.message = message;
        broker = Broker.launch(BrokerConfig.builder()
                .listen("inproc:" + name.replace(' ', '-'))
                .threading(ThreadingMode.INVOKER)
                .window(new WindowConfig(32 * 1024 * 1024, 4))
                .permissions(permissions)
                .security(new SecurityConfig(
                        logon -> new Principal("bob", Set.of("trader"), Map.of("desk", "EMEA")),
                        SecurityConfig.defaults().authorizer(),
                        false))
                .build());
        publisher = connect();
        subscriber = connect();
        while (seen.logonCount() < 2) {
            cycle();
        }
        while (subscriber.offerSubscribe(1, SubscribeRequest.topic("orders").filter(filter)) < 0) {
            cycle();
        }
        while (seen.ackCount() == 0) {
            cycle();
        }
    }

    String name() {
        return name;
    }

    private ClientSession connect() {
        final ClientSession session = ClientSession.open(
                ClientConfig.builder(broker.endpoints().get(0).toString()).build(), seen);
        session.connect();
        return session;
    }

    private void cycle() {
        broker.invoke();
        publisher.poll();
        subscriber.poll();
    }

    /** Returns nanoseconds of the thread's processor time a message, since other programs may run beside it. */
    double round() {
        final long startNs = THREADS.getCurrentThreadCpuTime();
        final long target = seen.received() + MESSAGES;
        for (int i = 0; i < MESSAGES; i += BATCH) {
            for (int j = 0; j < BATCH; j++) {
                while (publisher.offerPublish(TOPIC, 0, TOPIC.capacity(), message, 0, message.capacity(), 0, 0) < 0) {
                    cycle();
                }
            }
            cycle();
        }
        while (seen.received() < target) {
            cycle();
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - startNs) / MESSAGES;
    }

    void close() {
        publisher.close();
        subscriber.close();
        broker.close();
    }
}
