package io.penstock.bridge.rmiiiop;

import com.sun.corba.ee.spi.threadpool.ThreadPool;
import com.sun.corba.ee.spi.threadpool.ThreadPoolChooser;
import com.sun.corba.ee.spi.threadpool.ThreadPoolManager;
import com.sun.corba.ee.spi.threadpool.Work;
import com.sun.corba.ee.spi.threadpool.WorkQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The threads of the ORB, as it asks for them: one listens, one reads each connection, one makes each call. So they are bounded by
 * the connections and the {@link CallRoom}; what the ORB adds at that bound waits until one is free. Safe on any thread.
 */
final class CallThreads implements ThreadPoolManager, ThreadPool, WorkQueue {
    private static final System.Logger LOG = System.getLogger(CallThreads.class.getName());
    private static final String NAME = "penstock-rmi-iiop";
    private static final long IDLE_MS = 10_000;

    /** Those that listen, and those that are just done with a connection. */
    private static final int MORE = 16;

    private final ThreadPoolExecutor executor;
    private final AtomicInteger nextNumber = new AtomicInteger();
    private final AtomicInteger busyCount = new AtomicInteger();
    private final AtomicLong addedCount = new AtomicLong();

    CallThreads(final RmiIiopConfig config) {
        executor = new ThreadPoolExecutor(
                0,
                config.connectionCountMax() + config.callCountMax() + config.waitCountMax() + MORE,
                IDLE_MS,
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                this::newThread,
                CallThreads::await);
    }

    private Thread newThread(final Runnable work) {
        final Thread thread = new Thread(work, NAME + "-" + nextNumber.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    private static void await(final Runnable work, final ThreadPoolExecutor executor) {
        if (executor.isShutdown()) {
            throw new RejectedExecutionException("threads: are closed");
        }
        try {
            executor.getQueue().put(work);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException("threads: are closing", e);
        }
    }

    @Override
    public void addWork(final Work work) {
        addedCount.incrementAndGet();
        try {
            executor.execute(() -> run(work));
        } catch (final RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "rmi-iiop: is closing; not done any more: " + work.getName(), e);
        } catch (final Error e) {
            // The ORB says nothing of it, and nobody would read the connection any more.
            LOG.log(System.Logger.Level.ERROR, "rmi-iiop: no thread; the connection is closed: " + work.getName(), e);
            CallRoom.endCaller();
        }
    }

    private void run(final Work work) {
        busyCount.incrementAndGet();
        try {
            work.doWork();
        } catch (final RuntimeException e) {
            // Work of the ORB fails so while the ORB is being destroyed.
            LOG.log(System.Logger.Level.DEBUG, "rmi-iiop: the ORB has failed: " + work.getName(), e);
        } finally {
            busyCount.decrementAndGet();
            CallRoom.leave();
        }
    }

    @Override
    public int currentNumberOfThreads() {
        return executor.getPoolSize();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    @Override
    public ThreadPool getThreadPool(final String id) {
        return this;
    }

    @Override
    public ThreadPool getThreadPool(final int id) {
        return this;
    }

    @Override
    public ThreadPool getThreadPool() {
        return this;
    }

    @Override
    public ThreadPool getDefaultThreadPool() {
        return this;
    }

    @Override
    public void setThreadPool(final ThreadPool pool) {
        throw new UnsupportedOperationException("threads: are those of their pool");
    }

    @Override
    public int getThreadPoolNumericId(final String id) {
        return 0;
    }

    @Override
    public String getThreadPoolStringId(final int id) {
        return NAME;
    }

    @Override
    public @Nullable ThreadPoolChooser getThreadPoolChooser(final String component) {
        return null;
    }

    @Override
    public @Nullable ThreadPoolChooser getThreadPoolChooser(final int component) {
        return null;
    }

    @Override
    public void setThreadPoolChooser(final String component, final ThreadPoolChooser chooser) {
        throw new UnsupportedOperationException("threads: there is one pool");
    }

    @Override
    public int getThreadPoolChooserNumericId(final String component) {
        return 0;
    }

    @Override
    public WorkQueue getAnyWorkQueue() {
        return this;
    }

    @Override
    public WorkQueue getWorkQueue(final int id) {
        return this;
    }

    @Override
    public int numberOfWorkQueues() {
        return 1;
    }

    @Override
    public int minimumNumberOfThreads() {
        return 0;
    }

    @Override
    public int maximumNumberOfThreads() {
        return executor.getMaximumPoolSize();
    }

    @Override
    public long idleTimeoutForThreads() {
        return IDLE_MS;
    }

    @Override
    public int numberOfAvailableThreads() {
        return Math.max(0, currentNumberOfThreads() - numberOfBusyThreads());
    }

    @Override
    public int numberOfBusyThreads() {
        return busyCount.get();
    }

    @Override
    public long currentProcessedCount() {
        return executor.getCompletedTaskCount();
    }

    /** Not measured. */
    @Override
    public long averageWorkCompletionTime() {
        return 0;
    }

    @Override
    public long totalWorkItemsAdded() {
        return addedCount.get();
    }

    /** Work is begun as soon as it is added. */
    @Override
    public int workItemsInQueue() {
        return 0;
    }

    /** None. */
    @Override
    public long averageTimeInQueue() {
        return 0;
    }

    @Override
    public String getName() {
        return NAME;
    }
}
