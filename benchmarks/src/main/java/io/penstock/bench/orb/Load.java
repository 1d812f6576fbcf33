package io.penstock.bench.orb;

import io.penstock.orb.BrokerException;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Threads that call as fast as they are answered. */
final class Load {
    private static final long MAX_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 2;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final PenstockBroker broker;
    private final boolean isPublishing;
    private final int threadCount;
    private final Publication publication;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch firstCalls;
    private final AtomicInteger failedCount = new AtomicInteger();
    private volatile Phase phase = Phase.WARM_UP;

    private enum Phase {
        WARM_UP,
        MEASURED,
        OVER
    }

    /**
     * Calls nobody yet.
     *
     * @param broker       to call.
     * @param isPublishing whether to publish; else echo.
     * @param threadCount  that call.
     * @param length       of the payload in bytes.
     */
    Load(final PenstockBroker broker, final boolean isPublishing, final int threadCount, final int length) {
        this.broker = broker;
        this.isPublishing = isPublishing;
        this.threadCount = threadCount;
        publication = Publication.of(OrbServerCommand.TOPIC, new byte[length]);
        firstCalls = new CountDownLatch(threadCount);
    }

    /**
     * Calls for a while. Measuring begins when the warm-up is over and each thread has called once, or when that has lasted
     * too long. Calls count that end in the measured time; times are of those and of the calls that are under way at its end.
     *
     * @param warmUpMs     in milliseconds.
     * @param firstCallsMs longest wait for threads that have not called once by then, in milliseconds.
     * @param ms           measured time in milliseconds.
     * @param onWarm       is notified when it begins.
     * @return calls, ns, p50, p99 and the longest in microseconds, calls that failed, threads that had not called once when it
     *     began, and why the first call failed that did.
     */
    String run(final long warmUpMs, final long firstCallsMs, final long ms, final Runnable onWarm)
            throws InterruptedException {
        final List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < threadCount; i++) {
            final Caller caller = new Caller();
            callers.add(caller);
            caller.start();
        }
        Thread.sleep(warmUpMs);
        final long lateCount = firstCalls.await(firstCallsMs, TimeUnit.MILLISECONDS) ? 0 : firstCalls.getCount();
        phase = Phase.MEASURED;
        final long startNs = System.nanoTime();
        onWarm.run();
        Thread.sleep(ms);
        phase = Phase.OVER;
        final long tookNs = System.nanoTime() - startNs;
        long callCount = 0;
        final Histogram all = new Histogram(MAX_NS, DIGITS);
        for (final Caller each : callers) {
            each.join();
            all.add(each.times);
            callCount += each.callCount;
        }
        final Throwable first = failure.get();
        return callCount + " " + tookNs + " " + all.getValueAtPercentile(50) / 1e3 + " "
                + all.getValueAtPercentile(99) / 1e3 + " " + all.getMaxValue() / 1e3 + " " + failedCount.get() + " "
                + lateCount + " "
                + (first == null ? "" : first.toString().replace('\n', ' '));
    }

    /** Calls one time after another. */
    private final class Caller extends Thread {
        private final Histogram times = new Histogram(MAX_NS, DIGITS);
        private boolean hasCalled;
        private long callCount;

        Caller() {
            super("caller");
            setDaemon(true);
        }

        @Override
        public void run() {
            while (phase != Phase.OVER) {
                final long startNs = System.nanoTime();
                try {
                    call();
                } catch (final RemoteException | BrokerException | RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                    failedCount.incrementAndGet();
                    LockSupport.parkNanos(PAUSE_NS);
                    continue;
                }
                if (!hasCalled) {
                    hasCalled = true;
                    firstCalls.countDown();
                }
                final Phase endedIn = phase;
                if (endedIn == Phase.MEASURED) {
                    callCount++;
                }
                if (endedIn != Phase.WARM_UP) {
                    times.recordValue(Math.min(MAX_NS, System.nanoTime() - startNs));
                }
            }
        }

        private void call() throws RemoteException, BrokerException {
            if (isPublishing) {
                broker.publish(publication, false);
            } else if (broker.echo(publication.data()).length != publication.data().length) {
                throw new IllegalStateException("bytes were lost on the way");
            }
        }
    }
}
