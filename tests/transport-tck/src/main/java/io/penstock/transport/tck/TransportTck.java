package io.penstock.transport.tck;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * What every transport must pass. A transport subclasses it in its tests and says where to listen; media on which
 * anybody can send any bytes give a {@link RawPeer} as well.
 */
public abstract class TransportTck extends HostilePeerCases {
    private static final long LONG_NS = DEADLINE_NS + TimeUnit.SECONDS.toNanos(5);
    private static final int HANDOVER_COUNT = 2000;
    private static final int MIXED_LENGTH_MAX = 40_000;
    private static final int WARM_UP_COUNT = 30_000;
    private static final int MEASURED_COUNT = Integer.getInteger("penstock.frames", 200_000);
    private static final int BURST_COUNT = 20;

    /** Bytes; room for what the virtual machine itself allocates now and then. */
    private static final double ALLOCATED_PER_FRAME_MAX = 0.1;

    @Test
    public void shouldNotWaitWhenWokenBefore() {
        final Transport transport = server().transport();
        transport.wakeup();
        transport.wakeup();

        final long startNs = System.nanoTime();
        transport.await(LONG_NS);

        assertThat(System.nanoTime() - startNs).isLessThan(DEADLINE_NS);
    }

    @Test
    public void shouldKeepTheWakeUpForTheWaitWhenPolledBetween() {
        final Transport transport = server().transport();
        transport.wakeup();
        transport.poll(10);

        final long startNs = System.nanoTime();
        transport.await(LONG_NS);

        assertThat(System.nanoTime() - startNs).isLessThan(DEADLINE_NS);
    }

    @Test
    public void shouldLoseNoWakeUpWhenAnotherThreadWakesAtAnyTime() throws Exception {
        final Transport transport = server().transport();
        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger answered = new AtomicInteger();
        final Thread waker = new Thread(() -> {
            for (int i = 1; i <= HANDOVER_COUNT; i++) {
                asked.set(i);
                transport.wakeup();
                while (answered.get() < i && !Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            }
        });
        waker.start();

        // Of each of them: all together take as long as the machine needs.
        long startNs = System.nanoTime();
        while (answered.get() < HANDOVER_COUNT && System.nanoTime() - startNs < DEADLINE_NS) {
            if (asked.get() > answered.get()) {
                answered.incrementAndGet();
                startNs = System.nanoTime();
            } else {
                transport.await(LONG_NS);
            }
        }

        waker.interrupt();
        waker.join();
        assertThat(answered).hasValue(HANDOVER_COUNT);
    }

    @Test
    public void shouldEndTheWaitWhenTimeIsUp() {
        final long startNs = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            server().transport().await(1_000_000);
            server().transport().await(10_000);
        }
        assertThat(System.nanoTime() - startNs).isLessThan(DEADLINE_NS);
    }

    @Test
    public void shouldNotWaitWhenAFrameIsThere() throws IOException {
        final Link link = connect();
        pollUntilQuiet();
        link.toServer().frame(100).send();
        client().poll();

        final long startNs = System.nanoTime();
        while (!link.toServer().isDone()) {
            server().transport().await(LONG_NS);
            server().poll();
        }

        assertThat(System.nanoTime() - startNs).isLessThan(DEADLINE_NS);
    }

    @Test
    public void shouldHearOfWhatComesLaterWhenItOnlyPollsAfterAWait() throws IOException {
        final Link link = connect();
        pollUntilQuiet();
        link.toServer().frame(100).send();
        client().poll();
        server().transport().await(LONG_NS);
        transfer(link.toServer());

        transfer(link.toServer().frame(100));
    }

    @Test
    public void shouldTransferWhenBothSidesWaitInThreadsOfTheirOwn() throws Exception {
        final Link link = connect();
        final int count = 5000;
        final AtomicInteger echoed = new AtomicInteger();
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) ->
                connection.offer(buffer, offset, 0, buffer, offset, length, 0) >= 0;
        client().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            assertThat(buffer.getInt(offset)).isEqualTo(echoed.get());
            echoed.incrementAndGet();
            return true;
        };
        final Thread echo = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                if (server().poll() == 0) {
                    server().transport().await(LONG_NS);
                }
            }
        });
        echo.start();
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[MIXED_LENGTH_MAX]);

        final long startNs = System.nanoTime();
        int sent = 0;
        while (echoed.get() < count && System.nanoTime() - startNs < DEADLINE_NS) {
            final int length = Integer.BYTES + (sent * 7919) % (MIXED_LENGTH_MAX - Integer.BYTES);
            frame.putInt(0, sent);
            if (sent < count && link.client().offer(frame, 0, 0, frame, 0, length, 0) >= 0) {
                sent++;
            } else if (client().poll() == 0) {
                client().transport().await(LONG_NS);
            }
        }

        echo.interrupt();
        server().transport().wakeup();
        echo.join();
        assertThat(echoed).hasValue(count);
    }

    @Test
    public void shouldAllocateNothingWhenFramesComeAndGo() throws IOException {
        final Link link = connect();
        final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
        final int[] received = {0};
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) ->
                connection.offer(buffer, offset, 0, buffer, offset, length, 0) >= 0;
        client().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            received[0]++;
            return true;
        };
        pingPong(link.client(), frame, received, WARM_UP_COUNT);
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();

        // When everything is compiled depends on what else the machine does.
        final long startNs = System.nanoTime();
        double allocated;
        do {
            final long before = threads.getThreadAllocatedBytes(threadId);
            pingPong(link.client(), frame, received, MEASURED_COUNT);
            allocated = (double) (threads.getThreadAllocatedBytes(threadId) - before) / MEASURED_COUNT;
        } while (allocated >= allocatedPerFrameMax() && System.nanoTime() - startNs < DEADLINE_NS);

        assertThat(allocated).isLessThan(allocatedPerFrameMax());
    }

    /**
     * What may be allocated for each frame that goes there and back.
     *
     * @return bytes; more than next to nothing only where what is not ours allocates.
     */
    protected double allocatedPerFrameMax() {
        return ALLOCATED_PER_FRAME_MAX;
    }

    private void pingPong(
            final Connection connection, final UnsafeBuffer frame, final int[] received, final int count) {
        final Transport server = server().transport();
        final Transport client = client().transport();
        final int target = received[0] + count;
        int sent = received[0];
        final long startNs = System.nanoTime();
        while (received[0] < target && System.nanoTime() - startNs < DEADLINE_NS) {
            for (int i = 0; i < BURST_COUNT && sent < target; i++) {
                if (connection.offer(frame, 0, 10, frame, 10, 90, 0) < 0) {
                    break;
                }
                sent++;
            }
            client.poll(Side.FRAME_LIMIT);
            server.poll(Side.FRAME_LIMIT);
        }
        assertThat(received[0]).isEqualTo(target);
    }
}
