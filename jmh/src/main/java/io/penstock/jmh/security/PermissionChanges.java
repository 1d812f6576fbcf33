package io.penstock.jmh.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;

/**
 * How long a change of permissions takes to reach all clients of a broker, while messages are published without a pause. Every
 * other message may be seen by all clients or by none, in turn, as the configuration is read again. It fails when a message
 * comes after a change that may not be seen.
 *
 * <pre>java -cp ... io.penstock.jmh.security.PermissionChanges [clients [changes [microseconds between messages]]]</pre>
 */
public final class PermissionChanges {
    static final String TOPIC = "orders";

    /** So that all numbers have as many digits. */
    private static final int NUMBER_FIRST = 10_000_000;

    private static final String BEFORE_NUMBER = "{\"desk\":\"E\",\"n\":";
    private static final int NUMBER_LENGTH = 8;
    private static final long PARK_NS = 50_000;
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(1);

    private final Broker broker;
    private final PermissionReaders readers;
    private final AtomicInteger published = new AtomicInteger(NUMBER_FIRST);
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final List<Double> applied = new ArrayList<>();
    private final List<Double> lastOld = new ArrayList<>();
    private final List<Double> allPassed = new ArrayList<>();
    private final List<Double> firstNew = new ArrayList<>();
    private final List<Double> withoutChange = new ArrayList<>();

    private PermissionChanges(final int clientCount) {
        broker = Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .events(EventHandler.NONE)
                .permissions(permissions(""))
                .security(new SecurityConfig(
                        logon -> new Principal(logon.user(), Set.of(logon.user()), Map.of()),
                        SecurityConfig.defaults().authorizer(),
                        false))
                .build());
        readers = new PermissionReaders(broker.endpoints().get(0), clientCount);
    }

    /**
     * Runs it.
     *
     * @param args the number of clients, 1,000 unless given; of changes, 40 unless given, the first quarter of which warms up;
     *             and the microseconds between two messages, 20,000 unless given.
     */
    public static void main(final String[] args) {
        final int clientCount = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        final int changeCount = args.length > 1 ? Integer.parseInt(args[1]) : 40;
        final long intervalUs = args.length > 2 ? Long.parseLong(args[2]) : 20_000;
        final PermissionChanges changes = new PermissionChanges(clientCount);
        final long wrong = changes.run(changeCount, TimeUnit.MICROSECONDS.toNanos(intervalUs));
        System.out.printf(
                Locale.ROOT,
                "%d clients, a message each %d us; milliseconds from the call of a change%n",
                clientCount,
                intervalUs);
        print("all I/O agents are done", changes.applied);
        print("last message that may not be seen any more", changes.lastOld);
        print("each client has a message from after it", changes.allPassed);
        print("each client has a message that it may see now", changes.firstNew);
        print("without a change: each client has the next one", changes.withoutChange);
        System.out.printf("messages after a change that may not be seen: %d%n", wrong);
        if (wrong > 0) {
            throw new IllegalStateException("permissions: messages were sent that may not be seen");
        }
    }

    private static void print(final String what, final List<Double> values) {
        final double[] sorted = values.stream()
                .skip(values.size() / 4)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        System.out.printf(
                Locale.ROOT,
                "  %-48s p50 %8.1f  p99 %8.1f  max %8.1f  (%d changes)%n",
                what,
                sorted[sorted.length / 2],
                sorted[(int) (sorted.length * 0.99)],
                sorted[sorted.length - 1],
                sorted.length);
    }

    /** The number of a message. */
    static int number(final DirectBuffer buffer, final int offset) {
        return buffer.parseNaturalIntAscii(offset + BEFORE_NUMBER.length(), NUMBER_LENGTH);
    }

    private static PermissionsConfig permissions(final String condition) {
        return new PermissionsConfig(
                "",
                List.of(
                        new Role("publisher", List.of(PermissionRule.allow(List.of("all"), List.of("*"), ""))),
                        new Role("reader", List.of(PermissionRule.allow(List.of("read"), List.of(TOPIC), condition)))));
    }

    /** Makes the changes. Returns how many messages came that may not be seen. */
    private long run(final int changeCount, final long intervalNs) {
        final Thread reading = new Thread(readers, "readers");
        final Thread publishing = new Thread(() -> publish(intervalNs), "publisher");
        publishing.start();
        await(() -> published.get() > NUMBER_FIRST);
        reading.start();
        try {
            await(readers::areReady);
            for (int i = 0; i < changeCount; i++) {
                pause(intervalNs);
                changeNothing();
                narrow();
                pause(intervalNs);
                widen();
            }
            return readers.wrong();
        } finally {
            isOver.set(true);
            readers.stop();
            try {
                publishing.join();
                reading.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            broker.close();
        }
    }

    /** Messages that were sent already, and others, come meanwhile. */
    private void pause(final long intervalNs) {
        final int until = published.get() + (int) Math.max(10, TimeUnit.MILLISECONDS.toNanos(200) / intervalNs);
        await(() -> published.get() >= until);
    }

    /** What the machine takes for as much without a change. */
    private void changeNothing() {
        readers.beginChange();
        final long fromNs = System.nanoTime();
        readers.onApplied(published.get() + 2, true);
        await(readers::haveAllPassed);
        withoutChange.add(sinceMs(fromNs, System.nanoTime()));
    }

    private void narrow() {
        readers.beginChange();
        final long callNs = change("desk = 'E'");
        applied.add(sinceMs(callNs, System.nanoTime()));
        readers.onApplied(published.get() + 2, false);
        await(readers::haveAllPassed);
        allPassed.add(sinceMs(callNs, System.nanoTime()));
        final long lastNs = readers.lastOddNs();
        lastOld.add(lastNs == 0 ? 0 : sinceMs(callNs, Math.max(callNs, lastNs)));
    }

    private void widen() {
        readers.beginChange();
        // From here on, since they may come before all agents are done.
        readers.onApplied(Integer.MAX_VALUE, true);
        final long callNs = change("");
        await(readers::haveAllSeenOdd);
        firstNew.add(sinceMs(callNs, System.nanoTime()));
    }

    /** Has other permissions hold. Returns when that was asked for; they hold for all clients now. */
    private long change(final String condition) {
        final BrokerConfig next =
                broker.config().toBuilder().permissions(permissions(condition)).build();
        final long callNs = System.nanoTime();
        broker.reload(next);
        await(broker::arePermissionsApplied);
        return callNs;
    }

    private static double sinceMs(final long fromNs, final long untilNs) {
        return (untilNs - fromNs) / 1e6;
    }

    private static void await(final BooleanSupplier condition) {
        final long endNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new IllegalStateException(
                        "permissions: nothing happens for a minute (run fewer programs beside this)");
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private void publish(final long intervalNs) {
        try (PenstockClient client = PenstockClient.connect(
                ClientConfig.builder(broker.endpoints().get(0).toString())
                        .credentials("publisher", "")
                        .build())) {
            final byte[] message = (BEFORE_NUMBER + NUMBER_FIRST + "}").getBytes(UTF_8);
            final long startNs = System.nanoTime();
            for (long i = 0; !isOver.get(); i++) {
                final long dueNs = startNs + i * intervalNs;
                while (System.nanoTime() - dueNs < 0) {
                    LockSupport.parkNanos(Math.min(PARK_NS, intervalNs));
                }
                final int number = NUMBER_FIRST + (int) i;
                System.arraycopy(
                        Integer.toString(number).getBytes(UTF_8), 0, message, BEFORE_NUMBER.length(), NUMBER_LENGTH);
                message[BEFORE_NUMBER.indexOf('E')] = (byte) (number % 2 == 0 ? 'E' : 'W');
                published.set(number);
                client.publish(TOPIC, Arrays.copyOf(message, message.length));
            }
        }
    }
}
