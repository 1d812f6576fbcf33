package io.penstock.spring.listener;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** One thread of a container: takes messages from its queue, in their order, and has them processed. */
final class Lane implements Runnable {
    /** Most messages that are acknowledged together for a listener that takes them one by one. */
    private static final int RUN_MAX = 64;

    private static final Log LOG = LogFactory.getLog(PenstockListenerContainer.class);

    private final LaneQueue queue = new LaneQueue();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final PenstockListenerContainer container;
    private final DeliveryProcessor processor;
    private final boolean isBatch;
    private final int max;
    private final long idleNs;
    private volatile @Nullable Thread thread;

    Lane(
            final PenstockListenerContainer container,
            final DeliveryProcessor processor,
            final boolean isBatch,
            final ContainerSettings settings) {
        this.container = container;
        this.processor = processor;
        this.isBatch = isBatch;
        max = isBatch ? settings.getBatchSize() : settings.getAckMode() == AckMode.BATCH ? RUN_MAX : 1;
        final long intervalNs = settings.getIdleEventInterval().toNanos();
        idleNs = intervalNs > 0 ? intervalNs : Long.MAX_VALUE;
    }

    LaneQueue queue() {
        return queue;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        final List<Delivery> taken = new ArrayList<>(max);
        try {
            int count = queue.take(taken, max, idleNs);
            while (count != LaneQueue.ENDED) {
                if (count == 0) {
                    container.onIdle(this);
                } else if (!processRun(taken)) {
                    return;
                }
                taken.clear();
                count = queue.take(taken, max, idleNs);
            }
        } catch (final InterruptedException e) {
            LOG.debug(container + ": a thread was interrupted while stopping");
        } catch (final Throwable e) {
            // Of the JVM, or a bug: what is not processed may come again, and the rest must not be left without a
            // thread.
            LOG.error(container + ": stops, as one of its threads has failed: " + e, e);
            container.stopSoon();
        } finally {
            thread = null;
            ended.countDown();
        }
    }

    private boolean processRun(final List<Delivery> taken) throws InterruptedException {
        if (isBatch) {
            if (!queue.awaitResumed() || !processor.process(taken)) {
                container.stopSoon();
                return false;
            }
            processor.onRunEnd();
            return true;
        }
        for (int i = 0; i < taken.size(); i++) {
            if (!queue.awaitResumed()) {
                return false;
            }
            if (!processor.process(Collections.singletonList(taken.get(i)))) {
                processor.onRunEnd();
                container.stopSoon();
                return false;
            }
        }
        processor.onRunEnd();
        return true;
    }

    /** Waits until it has ended; returns whether it has. */
    boolean awaitEnd(final long timeoutNs) throws InterruptedException {
        return ended.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /** Whether the caller is this lane's own thread. */
    boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    /** Ends it at once; returns how many messages it drops. */
    int abandon() {
        final int dropped = queue.clear();
        queue.end();
        final Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
        return dropped;
    }
}
