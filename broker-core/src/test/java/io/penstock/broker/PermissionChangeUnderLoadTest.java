package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes of permissions while messages are published without a pause, to many clients of a broker with threads: how long
 * they take, and that nothing follows them that may not be seen. Long form: {@code -Dpenstock.changeClients=1000}, which
 * prints the times.
 */
@Timeout(600)
class PermissionChangeUnderLoadTest {
    private static final int CLIENTS = Integer.getInteger("penstock.changeClients", 40);
    private static final int CHANGES = Integer.getInteger("penstock.changeCount", 6);

    /** Between two messages. */
    private static final long INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(Integer.getInteger("penstock.changeGapUs", 500));

    private static final Permissions ALL = permissions("");
    private static final Permissions BY_DESK = permissions("desk = 'E'");

    private final List<Reader> readers = new ArrayList<>();
    private boolean isStateful;
    private int published;
    private long nextNs;

    /** The first message that was published after the last change was applied; none before it. */
    private int marker;

    private static Permissions permissions(final String condition) {
        return traders(allow("list", "*", ""), allow("read", "*", condition));
    }

    @ParameterizedTest
    @ValueSource(strings = {"subscribe", "sow and oof"})
    void shouldReachAllClients(final String kind) {
        isStateful = !kind.equals("subscribe");
        try (TestBroker test = GuardedBroker.start(
                ALL,
                builder -> builder.threading(ThreadingMode.DEDICATED)
                        .idle(IdleMode.BLOCKING)
                        .window(new WindowConfig(4 * 1024 * 1024, 8))
                        .sessions(new SessionConfig(
                                2 * CLIENTS + 16, 64, 16 * 1024, 64, 64, 16 * 1024, 64, 1 << 24, 600_000, 60_000))
                        .topic(TopicConfig.keyed("o", "json", "id")))) {
            final StateClient root = new StateClient(test, "root");
            for (int i = 0; i < 100; i++) {
                publish(root);
            }
            root.flush();
            for (int i = 0; i < CLIENTS; i++) {
                final Reader reader = new Reader(test);
                reader.subscribe(
                        1,
                        isStateful
                                ? SubscribeRequest.topic("o").sow().oof()
                                : SubscribeRequest.topic("o"));
                readers.add(reader);
            }
            final double[] appliedMs = new double[CHANGES];
            final double[] seenMs = new double[CHANGES];
            for (int i = 0; i < CHANGES; i++) {
                final int until = published + 200;
                while (published < until) {
                    run(test, root);
                }
                change(test, root, i, appliedMs, seenMs);
            }
            System.out.printf(
                    "%s: %d clients, a message each %d us: applied after %s ms, seen by all after %s ms;"
                            + " %d states sent again%n",
                    kind,
                    CLIENTS,
                    TimeUnit.NANOSECONDS.toMicros(INTERVAL_NS),
                    texts(appliedMs),
                    texts(seenMs),
                    test.broker.counter("resyncs"));
            for (final Reader reader : readers) {
                assertThat(reader.errors).isEmpty();
            }
            assertThat(test.broker.counter("fellBehind")).isZero();
        }
    }

    private void change(
            final TestBroker test,
            final StateClient root,
            final int index,
            final double[] appliedMs,
            final double[] seenMs) {
        final boolean isNarrow = index % 2 == 0;
        final long fromNs = System.nanoTime();
        test.broker.permissions(isNarrow ? BY_DESK : ALL);
        while (!test.broker.arePermissionsApplied()) {
            run(test, root);
        }
        appliedMs[index] = (System.nanoTime() - fromNs) / 1e6;
        published += published % 2;
        marker = published;
        publish(root);
        while (readers.stream().anyMatch(reader -> reader.last < marker)) {
            run(test, root);
        }
        seenMs[index] = (System.nanoTime() - fromNs) / 1e6;
        // What waited anywhere has come by now, and nothing of it is of the other desk.
        final int until = published + 200;
        while (published < until) {
            run(test, root);
        }
        while (readers.stream().anyMatch(reader -> reader.last < until - 2)) {
            run(test, root);
        }
        for (final Reader reader : readers) {
            final List<Integer> even = new ArrayList<>(reader.sinceMarker);
            even.removeIf(each -> each % 2 != 0);
            if (!isStateful) {
                // Changes of one record may be sent as one.
                assertThat(even)
                        .startsWith(IntStream.rangeClosed(marker / 2, until / 2 - 1)
                                .mapToObj(each -> 2 * each)
                                .toArray(Integer[]::new));
            }
            assertThat(isNarrow ? reader.sinceMarker : even).isEqualTo(even);
        }
    }

    private void run(final TestBroker test, final StateClient root) {
        final long nowNs = System.nanoTime();
        if (nowNs - nextNs >= 0) {
            publish(root);
            nextNs = nowNs + INTERVAL_NS;
        }
        test.cycle();
    }

    private void publish(final StateClient root) {
        final int number = published++;
        root.publish(
                "o",
                "{\"n\":" + number + ",\"id\":" + number % 100 + ",\"desk\":\"" + (number % 2 == 0 ? "E" : "W") + "\"}");
    }

    private static List<String> texts(final double[] values) {
        final List<String> texts = new ArrayList<>();
        for (final double value : values) {
            texts.add("%.1f".formatted(value));
        }
        return texts;
    }

    /** Keeps the numbers of the messages after each marker. */
    private final class Reader extends StateClient {
        private final List<Integer> sinceMarker = new ArrayList<>();
        private int last = -1;

        Reader(final TestBroker broker) {
            super(broker, "trader-E");
        }

        @Override
        public boolean onRecord(
                final RecordKind kind,
                final long subscriptionId,
                final String topic,
                final int shard,
                final long sequence,
                final long timestampNs,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int keyLength) {
            if (kind == RecordKind.OOF_MATCH) {
                return true;
            }
            int number = 0;
            for (int at = offset + 5; buffer.getByte(at) != ','; at++) {
                number = 10 * number + buffer.getByte(at) - '0';
            }
            if (number == marker) {
                sinceMarker.clear();
            }
            sinceMarker.add(number);
            last = Math.max(last, number);
            return true;
        }
    }
}
