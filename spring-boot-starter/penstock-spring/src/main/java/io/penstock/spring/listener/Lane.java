package io.penstock.spring.listener;

import io.penstock.spring.LogText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
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
    private final Runnable stopSoon;
    private final boolean isBatch;
    private final int max;

    /** Null unless it is the one that looks whether its container is idle. */
    private final @Nullable IdleWatch idle;

    /** Held while its thread is set or interrupted: a thread of a pool has other work afterwards. */
    private final ReentrantLock threadLock = new ReentrantLock();

    private volatile @Nullable Thread thread;

    /** Of the run that it has taken, messages that are not processed yet. */
    private final AtomicInteger openCount = new AtomicInteger();

    Lane(
            final PenstockListenerContainer container,
            final PenstockErrorHandler errorHandler,
            final @Nullable IdleWatch idle,
            final Runnable stopSoon) {
        this.container = container;
        this.idle = idle;
        this.stopSoon = stopSoon;
        final ContainerSettings settings = container.settings();
        processor = new DeliveryProcessor(container, container.listener(), errorHandler, settings, queue);
        isBatch = container.listener().isBatch();
        max = isBatch ? settings.getBatchSize() : settings.getAckMode() == AckMode.BATCH ? RUN_MAX : 1;
    }

    LaneQueue queue() {
        return queue;
    }

    @Override
    public void run() {
        thread(Thread.currentThread());
        try {
            work();
        } catch (final InterruptedException e) {
            LOG.debug(container + ": a thread was abandoned while stopping");
        } catch (final Throwable e) {
            // Of the JVM, or a bug: what is not processed may come again, and the rest must not be left without a
            // thread.
            LOG.error(container + ": stops, as one of its threads has failed: " + LogText.of(e), e);
            try {
                stopSoon.run();
            } finally {
                container.onLaneFailed(e);
            }
        } finally {
            thread(null);
            ended.countDown();
        }
    }

    private void thread(final @Nullable Thread now) {
        threadLock.lock();
        try {
            thread = now;
            if (now == null && Thread.interrupted()) {
                LOG.debug(container + ": a thread ends that was interrupted");
            }
        } finally {
            threadLock.unlock();
        }
    }

    private void work() throws InterruptedException {
        final List<Delivery> taken = new ArrayList<>(max);
        while (true) {
            final int count = queue.take(taken, max, idle == null ? Long.MAX_VALUE : idle.leftNs());
            if (count == LaneQueue.ENDED) {
                return;
            }
            if (count == 0) {
                onNothing();
            } else if (!processRun(taken)) {
                return;
            }
            taken.clear();
        }
    }

    private void onNothing() {
        final long idleNs = idle == null ? 0 : idle.takeIdleNs();
        if (idleNs > 0) {
            container.onIdle(idleNs);
        }
    }

    /** Returns false when it ends. */
    private boolean processRun(final List<Delivery> taken) throws InterruptedException {
        openCount.set(taken.size());
        try {
            return isBatch ? processTurn(taken, taken) : processEach(taken);
        } finally {
            processor.onRunEnd();
        }
    }

    private boolean processEach(final List<Delivery> taken) throws InterruptedException {
        for (int i = 0; i < taken.size() && openCount.get() > 0; i++) {
            if (!processTurn(Collections.singletonList(taken.get(i)), taken.subList(i, taken.size()))) {
                return false;
            }
        }
        return true;
    }

    private boolean processTurn(final List<Delivery> next, final List<Delivery> rest) throws InterruptedException {
        switch (queue.awaitTurn(processor::onRunEnd)) {
            case DROP -> {
                openCount.set(0);
                rest.forEach(Delivery::drop);
            }
            case END -> {
                rest.forEach(Delivery::drop);
                return false;
            }
            case PROCESS -> {
                if (!processor.process(next)) {
                    stopSoon.run();
                    return false;
                }
                openCount.addAndGet(-next.size());
            }
        }
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

    /** Drops what waits, for the lane's own thread, which goes on with what it has taken; returns how many. */
    int drop() {
        final List<Delivery> dropped = queue.clear();
        dropped.forEach(Delivery::drop);
        return dropped.size();
    }

    /** Ends it at once; returns how many messages it has not processed. */
    int abandon() {
        final List<Delivery> dropped = queue.abandon();
        dropped.forEach(Delivery::drop);
        threadLock.lock();
        try {
            final Thread running = thread;
            if (running != null) {
                running.interrupt();
            }
        } finally {
            threadLock.unlock();
        }
        return dropped.size() + openCount.get();
    }
}
