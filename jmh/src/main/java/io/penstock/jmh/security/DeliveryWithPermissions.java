package io.penstock.jmh.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.WindowConfig;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.SubscribeRequest;
import io.penstock.jmh.CountingListener;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages from a publisher to a subscriber, all on one thread, without permissions, with permissions without filters, and
 * with one filter that each message satisfies; in alternating rounds. Beside that the same filter, given by the client.
 *
 * <p>The argument is the number of rounds, 30 unless given. The first fifth of them warms up.
 */
public final class DeliveryWithPermissions {
    private static final int MESSAGES = 40_000;
    private static final int BATCH = 32;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final UnsafeBuffer TOPIC = new UnsafeBuffer("orders".getBytes(UTF_8));
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(("{\"id\":12345,\"desk\":\"EMEA\",\"symbol\":\"IBM\","
                    + "\"side\":\"B\",\"qty\":100,\"price\":123.45,\"account\":\"A-7788\",\"text\":\""
                    + "x".repeat(80) + "\"}")
            .getBytes(UTF_8));

    private DeliveryWithPermissions() {}

    /** Runs it. */
    public static void main(final String... args) {
        final int rounds = args.length == 0 ? 30 : Integer.parseInt(args[0]);
        final List<Case> cases = List.of(
                new Case("none", PermissionsConfig.defaults(), ""),
                new Case("none again", PermissionsConfig.defaults(), ""),
                new Case("without filter", permissions("", ""), ""),
                new Case("filter to read", permissions("", "desk = USER('desk')"), ""),
                new Case("filter to publish", permissions("desk = USER('desk')", ""), ""),
                new Case("filter of the client", PermissionsConfig.defaults(), "desk = 'EMEA'"));
        final double[][] ns = new double[cases.size()][rounds];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < cases.size(); i++) {
                // Each is the first one in its turn.
                final int place = (i + round) % cases.size();
                ns[place][round] = cases.get(place).round();
            }
        }
        final int from = rounds / 5;
        final double base = lowerQuartile(Arrays.copyOfRange(ns[0], from, rounds));
        for (int i = 0; i < cases.size(); i++) {
            final double[] ratios = new double[rounds - from];
            for (int round = from; round < rounds; round++) {
                ratios[round - from] = ns[i][round] / ns[0][round];
            }
            final double quartile = lowerQuartile(Arrays.copyOfRange(ns[i], from, rounds));
            System.out.printf(
                    "%-22s %7.1f ns a message (lower quartile), %.3f of none; median of ratios %.3f%n",
                    cases.get(i).name, quartile, quartile / base, median(ratios));
        }
        cases.forEach(Case::close);
    }

    private static PermissionsConfig permissions(final String toPublish, final String toRead) {
        return new PermissionsConfig(
                "",
                List.of(new Role(
                        "trader",
                        List.of(
                                PermissionRule.allow(List.of("publish"), List.of("orders"), toPublish),
                                PermissionRule.allow(List.of("read"), List.of("orders"), toRead),
                                PermissionRule.allow(List.of("create"), List.of("*"), "")))));
    }

    private static double median(final double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static double lowerQuartile(final double[] values) {
        Arrays.sort(values);
        return values[values.length / 4];
    }

    /** A broker with two clients. */
    private static final class Case {
        private final String name;
        private final Broker broker;
        private final ClientSession publisher;
        private final ClientSession subscriber;
        private final CountingListener seen = new CountingListener();

        Case(final String name, final PermissionsConfig permissions, final String filter) {
            this.name = name;
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
                    while (publisher.offerPublish(TOPIC, 0, TOPIC.capacity(), MESSAGE, 0, MESSAGE.capacity(), 0, 0)
                            < 0) {
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
}
