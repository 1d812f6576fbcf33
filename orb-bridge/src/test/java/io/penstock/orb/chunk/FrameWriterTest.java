package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.Harness;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FrameWriterTest {
    private static final int LONG = 64 * 1024;
    private static final int SHORT = 1024;

    private final Gate gate = new Gate();
    private final ChunkCounters counters = new ChunkCounters();
    private final FrameWriter writer = new FrameWriter(gate, new SegmentPool(1 << 20), counters);

    /** By the order of frames, not by time: the sink takes one frame at each command of the test. */
    @Test
    void shouldSendAShortFrameAfterTheOneThatIsOnItsWayWhenALongMessageGoesOn() throws Exception {
        final Thread large = new Thread(() -> write(LONG, 160, 'L'));
        large.start();
        gate.awaitWriting();

        final Thread small = new Thread(() -> write(SHORT, 1, 's'));
        small.start();
        // It waits for nothing: the one that writes sends it.
        small.join();
        gate.open(1000);
        large.join();

        assertThat(gate.order.get(0)).isEqualTo('L');
        assertThat(gate.order.get(1)).isEqualTo('s');
        assertThat(gate.order).hasSize(161);
        assertThat(counters.stagedLength()).isEqualTo(SHORT);
    }

    @Test
    void shouldLetEachHaveItsTurnWhenTwoSendLongMessages() throws Exception {
        final Thread first = new Thread(() -> write(LONG, 40, 'a'));
        first.start();
        gate.awaitWriting();
        final Thread second = new Thread(() -> write(LONG, 40, 'b'));
        second.start();
        // Each frame is taken when both want to send: one writes, and the other waits for its turn.
        for (int i = 0; i < 30; i++) {
            while (first.getState() != Thread.State.WAITING || second.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            gate.open(1);
            while (gate.order.size() == i) {
                Thread.onSpinWait();
            }
        }
        gate.open(1000);
        first.join();
        second.join();

        int longest = 0;
        int run = 1;
        for (int i = 1; i < 30; i++) {
            run = gate.order.get(i).equals(gate.order.get(i - 1)) ? run + 1 : 1;
            longest = Math.max(longest, run);
        }
        assertThat(longest).isLessThanOrEqualTo(5);
        assertThat(counters.waitNs()).isPositive();
    }

    @Test
    void shouldFailForAllWhenTheConnectionBreaks() throws Exception {
        final List<String> failures = Collections.synchronizedList(new ArrayList<>());
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            final Thread thread = new Thread(() -> {
                try {
                    final boolean unused = writer.write(frame(new byte[LONG], LONG, false));
                } catch (final IOException e) {
                    failures.add(e.getMessage());
                }
            });
            thread.start();
            threads.add(thread);
        }
        gate.awaitWriting();

        gate.isBroken = true;
        gate.open(10);
        for (final Thread each : threads) {
            each.join();
        }

        assertThat(failures).containsOnly("gate: is broken").hasSize(3);
        assertThatThrownBy(() -> writer.write(frame(new byte[1], 1, false))).hasMessage("gate: is broken");
    }

    @Test
    void shouldBeStuckWhenAWriteIsNotTaken() throws Exception {
        final Thread thread = new Thread(() -> write(LONG, 1, 'x'));
        thread.start();
        gate.awaitWriting();

        assertThat(writer.isStuck(System.nanoTime() + 2_000_000_000L, 1_000_000_000L))
                .isTrue();
        gate.open(1);
        thread.join();
        assertThat(writer.isStuck(System.nanoTime() + 2_000_000_000L, 1_000_000_000L))
                .isFalse();
    }

    /** While each write is under way another short frame comes: those do not go before a long one for ever. */
    @Test
    void shouldLetALongFrameGoWhenShortOnesComeWithoutEnd() throws Exception {
        final Thread first = new Thread(() -> write(SHORT, 1, 'f'));
        first.start();
        gate.awaitWriting();
        final Thread large = new Thread(() -> write(LONG, 1, 'L'));
        large.start();
        while (large.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        gate.shortCount = 100;
        gate.open(1000);
        first.join();
        large.join();

        assertThat(Harness.await(() -> gate.order.size() >= 100)).isTrue();
        assertThat(gate.order.indexOf('L')).isBetween(1, 8);
    }

    @Test
    void shouldWriteForOthersOnlySomeTimesWhenShortFramesComeWithoutEnd() throws Exception {
        final Thread first = new Thread(() -> write(SHORT, 1, 'f'));
        first.start();
        gate.awaitWriting();
        gate.shortCount = 200;
        gate.watched = first;
        gate.open(1000);
        first.join();

        assertThat(Harness.await(() -> gate.order.size() >= 150)).isTrue();
        assertThat(gate.watchedCount).hasValueLessThan(30);
    }

    /** Nobody waits for a long frame whose array may be kept; what may be kept is bounded. */
    @Test
    void shouldKeepTheArraysOfLongFramesUpToABound() throws Exception {
        final Thread first = new Thread(() -> write(LONG, 1, 'f'));
        first.start();
        gate.awaitWriting();
        final byte[] given = filled(LONG, 'g');
        for (int i = 0; i < 4; i++) {
            final Outgoing outgoing = frame(i == 0 ? given : filled(LONG, 'g'), LONG, true);
            assertThat(writer.write(outgoing)).isTrue();
            assertThat(outgoing.bytes()).isNotSameAs(given).hasSize(LONG);
        }
        final Thread fifth = new Thread(() -> {
            try {
                final boolean unused = writer.write(frame(filled(LONG, 'h'), LONG, true));
            } catch (final IOException e) {
                throw new IllegalStateException(e);
            }
        });
        fifth.start();
        while (fifth.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        gate.open(6);
        first.join();
        fifth.join();

        assertThat(gate.order).containsExactly('f', 'g', 'g', 'g', 'g', 'h');
        assertThat(counters.stagedLength()).isZero();
    }

    private static byte[] filled(final int length, final char mark) {
        final byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte) mark);
        return bytes;
    }

    private static Outgoing frame(final byte[] bytes, final int length, final boolean isGiven) {
        final Outgoing outgoing = new Outgoing(bytes, isGiven);
        outgoing.frame(0, length, true);
        return outgoing;
    }

    private void write(final int length, final int count, final char mark) {
        final byte[] frame = new byte[length];
        java.util.Arrays.fill(frame, (byte) mark);
        try {
            for (int i = 0; i < count; i++) {
                final boolean unused = writer.write(frame(frame, length, false));
            }
        } catch (final IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes frames at commands of the test, and notes their order. */
    private final class Gate extends OutputStream {
        private final Semaphore permits = new Semaphore(0);
        private final CountDownLatch writing = new CountDownLatch(1);
        private final List<Character> order = Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger watchedCount = new AtomicInteger();
        private volatile boolean isBroken;
        private volatile int shortCount;
        private volatile @Nullable Thread watched;

        void open(final int count) {
            permits.release(count);
        }

        void awaitWriting() throws InterruptedException {
            writing.await();
        }

        @Override
        public void write(final int value) {
            throw new UnsupportedOperationException("frames are whole");
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws IOException {
            writing.countDown();
            permits.acquireUninterruptibly();
            if (isBroken) {
                throw new IOException("gate: is broken");
            }
            if (Thread.currentThread().equals(watched)) {
                watchedCount.incrementAndGet();
            }
            order.add((char) bytes[offset]);
            if (order.size() <= shortCount) {
                comeAnother();
            }
        }

        /** A short frame is noted, or waits. */
        private void comeAnother() {
            final Thread other = new Thread(() -> FrameWriterTest.this.write(SHORT, 1, 's'));
            other.setDaemon(true);
            other.start();
            while (other.isAlive() && other.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
    }
}
