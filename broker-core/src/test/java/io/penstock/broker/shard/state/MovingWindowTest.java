package io.penstock.broker.shard.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.Aggregation;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.topic.WindowRule;
import io.penstock.format.MessageFormats;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of a window, without anything around it. */
class MovingWindowTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final String SELECT = "g, COUNT(*) AS n, SUM(p) AS s, MAX(p) AS top";

    /** With windows of which one is 1,000 times as long as the other, and a wide margin. */
    @Test
    void shouldCostAboutTheSameHoweverLongTheWindow() {
        tookNs(100);
        final long shortNs = Math.min(tookNs(100), tookNs(100));
        final long longNs = Math.min(tookNs(100_000), tookNs(100_000));

        assertThat(longNs).isLessThan(20 * shortNs);
    }

    private static long tookNs(final int messageCount) {
        final Window window = new Window(new WindowRule(messageCount, 0, 0, 1L << 30), SELECT, 50);
        window.add(messageCount);
        final long comeAndGone = window.window.lookCount();
        final long begun = THREADS.getCurrentThreadCpuTime();
        window.add(20_000);
        final long took = THREADS.getCurrentThreadCpuTime() - begun;
        // One comes, one goes.
        assertThat(window.window.lookCount() - comeAndGone).isEqualTo(2 * 20_000);
        assertThat(window.window.count()).isEqualTo(messageCount);
        return took;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void shouldAllocateNothingWhenMessagesComeAndGo(final int groupMessageCount) {
        final WindowRule rule = new WindowRule(groupMessageCount == 0 ? 1_000 : 0, groupMessageCount, 1_000, 1L << 20);
        final Window window = new Window(rule, "g, COUNT(*) AS n, SUM(p) AS s", 50);
        window.add(20_000);
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        window.add(20_000);

        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    }

    @Test
    void shouldLetTheOldestGoBeforeTheirTimeWhenThereIsNoMemory() {
        final long lengthMax = 64 * 1024;
        final Window window = new Window(new WindowRule(0, 0, 1_000_000, lengthMax), SELECT, 1);
        final ArrayDeque<Long> lengths = new ArrayDeque<>();
        final Random random = new Random(7);
        long used = 0;
        for (int i = 0; i < 2_000; i++) {
            final int pad = random.nextInt(3_000);
            final int length = window.addOne(pad);
            lengths.add(WindowCells.lengthOf(length));
            used += WindowCells.lengthOf(length);
            while (used > lengthMax) {
                used -= lengths.remove();
            }
            assertThat(window.window.count()).isEqualTo(lengths.size());
        }
        assertThat(window.window.cutCount()).isEqualTo(2_000 - lengths.size());
        assertThat(window.window.takeCut()).contains("65536").contains("views.window.lengthMax");
        assertThat(window.window.takeCut()).isNull();

        window.addOne(70_000);
        assertThat(window.window.count()).isZero();
        assertThat(window.window.dueNs()).isEqualTo(DueHeap.NEVER);
        window.addOne(10);
        assertThat(window.window.count()).isEqualTo(1);
    }

    /** Groups end and begin again before anybody has seen that they were empty. */
    @Test
    void shouldKnowTheMessagesOfGroupsThatBeginAgain() {
        final long lengthMax = 64 * 1024;
        final Window window = new Window(new WindowRule(0, 2, 0, lengthMax), "g, COUNT(*) AS n", 1);
        final Random random = new Random(11);
        final List<int[]> kept = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            final int group = random.nextInt(6);
            final int length = window.addOne(group, random.nextInt(10) == 0 ? 50_000 : random.nextInt(12_000));
            long used = WindowCells.lengthOf(length);
            for (final int[] each : kept) {
                used += WindowCells.lengthOf(each[1]);
            }
            while (used > lengthMax) {
                used -= WindowCells.lengthOf(kept.remove(0)[1]);
            }
            kept.add(new int[] {group, length});
            final List<int[]> ofGroup =
                    kept.stream().filter(each -> each[0] == group).toList();
            if (ofGroup.size() > 2) {
                kept.remove(ofGroup.get(0));
            }
            assertThat(window.window.count()).isEqualTo(kept.size());
        }
        final Map<Long, Long> counts = new TreeMap<>();
        window.aggregation.forEach((key, offset, length, count, row) -> counts.put(key.getLong(offset + 1), count));
        assertThat(counts)
                .isEqualTo(kept.stream()
                        .collect(Collectors.groupingBy(each -> (long) each[0], TreeMap::new, Collectors.counting())));
    }

    /** A clock that is put back. */
    @Test
    void shouldLetMessagesGoInTheirOrderWhenTimeGoesBack() {
        final Window window = new Window(new WindowRule(0, 0, 100, 1 << 20), SELECT, 1);
        window.timeNs = 1_000;
        window.addOne(0);
        window.timeNs = 500;
        window.addOne(0);

        assertThat(window.window.dueNs()).isEqualTo(1_100);
        assertThat(window.window.evict(1_099, 10)).isZero();
        assertThat(window.window.evict(1_100, 1)).isEqualTo(1);
        assertThat(window.window.evict(1_100, 10)).isEqualTo(1);
    }

    /** A window, and messages for it. */
    private static final class Window {
        private final MovingWindow window;
        private final Aggregation aggregation;
        private final UnsafeBuffer[] messages;
        private long timeNs = 1;
        private int next;

        Window(final WindowRule rule, final String select, final int groupCount) {
            aggregation = new Aggregation(
                    SelectList.parse(select, "g", FilterLimits.DEFAULTS), MessageFormats.formatFor("json"), 1_000);
            window = new MovingWindow(rule, aggregation);
            messages = new UnsafeBuffer[1_000];
            for (int i = 0; i < messages.length; i++) {
                messages[i] = message(i % groupCount, i * 0.1, i % 200);
            }
        }

        private static UnsafeBuffer message(final int group, final double price, final int pad) {
            return new UnsafeBuffer(
                    ("{\"g\":" + group + ",\"p\":" + price + ",\"pad\":\"" + "x".repeat(pad) + "\"}").getBytes(UTF_8));
        }

        void add(final int count) {
            for (int i = 0; i < count; i++) {
                final UnsafeBuffer message = messages[next++ % messages.length];
                require(window.add(message, 0, message.capacity(), 0, timeNs++));
                window.evict(timeNs, 2);
            }
            aggregation.drainChanged((key, offset, length, messageCount, row) -> {});
        }

        private static void require(final boolean isAdded) {
            if (!isAdded) {
                throw new AssertionError("not added");
            }
        }

        int addOne(final int pad) {
            return addOne(0, pad);
        }

        int addOne(final int group, final int pad) {
            final UnsafeBuffer message = message(group, 1, pad);
            require(window.add(message, 0, message.capacity(), 0, timeNs++));
            return message.capacity();
        }
    }
}
