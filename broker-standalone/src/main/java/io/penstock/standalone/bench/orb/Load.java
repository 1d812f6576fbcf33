package io.penstock.standalone.bench.orb;

import io.penstock.orb.BrokerException;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.standalone.CommandFailure;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/** Threads that call as fast as they are answered. */
final class Load {
    private static final long MAX_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 2;

    private final PenstockBroker broker;
    private final boolean isPublishing;
    private final int threadCount;
    private final int length;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger failedCount = new AtomicInteger();
    private volatile boolean isMeasured;
    private volatile boolean isOver;

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
        this.length = length;
    }

    /** Calls for a while; returns calls, ns, p50, p99 and max in µs, and calls that failed. */
    String run(final long warmUpMs, final long ms, final Runnable onWarm) throws InterruptedException {
        final List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < threadCount; i++) {
            final Caller caller = new Caller();
            callers.add(caller);
            caller.start();
        }
        Thread.sleep(warmUpMs);
        isMeasured = true;
        final long startNs = System.nanoTime();
        onWarm.run();
        Thread.sleep(ms);
        isMeasured = false;
        final long tookNs = System.nanoTime() - startNs;
        isOver = true;
        final Histogram all = new Histogram(MAX_NS, DIGITS);
        for (final Caller each : callers) {
            each.join();
            all.add(each.times);
        }
        if (failure.get() != null && all.getTotalCount() == 0) {
            throw CommandFailure.failed("bench orb: all calls failed: " + failure.get());
        }
        return all.getTotalCount() + " " + tookNs + " " + all.getValueAtPercentile(50) / 1e3 + " "
                + all.getValueAtPercentile(99) / 1e3 + " " + all.getMaxValue() / 1e3 + " " + failedCount.get();
    }

    /** Calls one time after another. */
    private final class Caller extends Thread {
        private final Histogram times = new Histogram(MAX_NS, DIGITS);

        Caller() {
            super("caller");
            setDaemon(true);
        }

        @Override
        public void run() {
            final byte[] data = new byte[length];
            final Publication publication = Publication.of(OrbServerCommand.TOPIC, data);
            while (!isOver) {
                final long startNs = System.nanoTime();
                try {
                    call(data, publication);
                } catch (final RemoteException | BrokerException | RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                    failedCount.incrementAndGet();
                    continue;
                }
                if (isMeasured) {
                    times.recordValue(Math.min(MAX_NS, System.nanoTime() - startNs));
                }
            }
        }

        private void call(final byte[] data, final Publication publication) throws RemoteException, BrokerException {
            if (isPublishing) {
                broker.publish(publication, false);
            } else if (broker.echo(data).length != length) {
                throw new IllegalStateException("bytes were lost on the way");
            }
        }
    }
}
