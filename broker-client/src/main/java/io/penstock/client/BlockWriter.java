package io.penstock.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers blocks to a sink. Threads claim blocks, fill them and submit them; each is merged into the sink as a whole. All
 * the memory for that is taken when the writer is opened: when every block is filled or on its way, the next claim waits.
 * What is not stored when a connection is lost is delivered again over the next one, and stored once.
 *
 * <p>Safe on any thread; a block is one thread's at a time.
 */
public final class BlockWriter implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final CompletableFuture<Boolean> opened = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private final ClientStatus status;
    private final ClientConfig config;
    private final SinkOptions options;
    private final Block[] blocks;
    private final ArrayBlockingQueue<Block> free;
    private final ManyToOneConcurrentArrayQueue<Block> submitted;
    private final String sink;
    private final String producer;
    private final int writerId;
    private final int stride;
    private volatile @Nullable PenstockException end;
    private volatile boolean isCloseRequested;
    private volatile long registrationNs;
    private volatile boolean isPulled;

    // Guarded by the lock.
    private @Nullable PenstockException firstFailure;
    private long submittedCount;
    private long answeredCount;
    private long storedCount;
    private long storedLength;
    private long resentCount;

    BlockWriter(
            final ClientStatus status,
            final ClientConfig config,
            final String sink,
            final int writerId,
            final SinkOptions options) {
        this.status = status;
        this.config = config;
        this.sink = sink;
        this.writerId = writerId;
        this.options = options;
        producer = options.producerOr(config.name());
        // Each block begins on a cache line of its own.
        stride = options.blockCount() == 1
                ? options.blockLength()
                : (int) Math.min((options.blockLength() + 63L) & -64L, (Integer.MAX_VALUE - 8L) / options.blockCount());
        free = new ArrayBlockingQueue<>(options.blockCount());
        submitted = new ManyToOneConcurrentArrayQueue<>(Math.max(2, options.blockCount()));
        blocks = new Block[options.blockCount()];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = new Block(this, i * stride);
        }
    }

    /** Waits until the broker lets it deliver. */
    void awaitOpen() {
        try {
            opened.get(config.requestTimeoutNs(), TimeUnit.NANOSECONDS);
            return;
        } catch (final ExecutionException e) {
            giveUp();
            throw e.getCause() instanceof PenstockException reason
                    ? reason.onCallersThread()
                    : new PenstockException("sink: " + sink + " cannot be opened: " + e.getCause(), e.getCause());
        } catch (final TimeoutException e) {
            giveUp();
            throw new NoReplyException("sink: no answer to the opening of " + sink + " from " + config.endpoint()
                    + " within " + TimeUnit.NANOSECONDS.toMillis(config.requestTimeoutNs()) + " ms");
        } catch (final InterruptedException e) {
            giveUp();
            Thread.currentThread().interrupt();
            throw new PenstockException("sink: interrupted while opening " + sink, e);
        }
    }

    private void giveUp() {
        isCloseRequested = true;
        status.wakeup();
    }

    /** Name of the sink. */
    public String sink() {
        return sink;
    }

    /** The producer's name, as it stands in the sink's index. */
    public String producer() {
        return producer;
    }

    /**
     * All the memory that this writer ever takes for blocks.
     *
     * @return length in bytes.
     */
    public long memoryLength() {
        return (long) stride * blocks.length;
    }

    /**
     * How long it took to make the memory and to register it with the medium, where that has to be done.
     *
     * @return the time, known once the writer is open.
     */
    public Duration registrationTime() {
        return Duration.ofNanos(registrationNs);
    }

    /**
     * Whether the broker pulls blocks out of this writer's memory now, rather than being sent them.
     *
     * @return as of the present connection.
     */
    public boolean isPulled() {
        return isPulled;
    }

    /** Blocks that are stored. */
    public long storedCount() {
        return guarded(() -> storedCount);
    }

    /** Bytes of the blocks that are stored. */
    public long storedLength() {
        return guarded(() -> storedLength);
    }

    /** Blocks that were offered again because a connection was lost. */
    public long resentCount() {
        return guarded(() -> resentCount);
    }

    private long guarded(final LongSupplier value) {
        lock.lock();
        try {
            return value.getAsLong();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a block to fill, and waits while there is none.
     *
     * @param timeout the longest wait.
     * @return a block, to be submitted or released.
     * @throws BackPressureException when all blocks were in use for so long.
     * @throws PenstockException     when the writer or its client is closed.
     */
    public Block claim(final Duration timeout) {
        checkOpen();
        try {
            final Block block = free.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
            checkOpen(block);
            if (block == null) {
                throw new BackPressureException("claim: no block of " + sink + " has become free within "
                        + timeout.toMillis() + " ms: all " + blocks.length
                        + " are filled or on their way (wait longer, or give the writer more blocks)");
            }
            block.isClaimed = true;
            return block;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException("claim: interrupted while waiting for a block of " + sink, e);
        }
    }

    private void checkOpen(final @Nullable Block claimed) {
        try {
            checkOpen();
        } catch (final PenstockException e) {
            if (claimed != null) {
                free.add(claimed);
            }
            throw e;
        }
    }

    private void checkOpen() {
        final PenstockException reason = end;
        if (reason != null) {
            throw reason.onCallersThread();
        }
        if (isCloseRequested) {
            throw new PenstockException("sink: writer of " + sink + " is closed (open another one)", null);
        }
        // A client that has ended takes no block any more, also while its writers are not told yet.
        status.checkOpen();
    }

    void submit(final Block block) {
        checkClaimed(block);
        status.beginPost();
        boolean isPosted = false;
        try {
            status.checkOpen();
            lock.lock();
            try {
                checkOpen();
                block.isClaimed = false;
                submittedCount++;
                // There is room for all blocks.
                submitted.offer(block);
            } finally {
                lock.unlock();
            }
            isPosted = true;
        } finally {
            if (isPosted) {
                status.onPosted();
            } else {
                status.endPost();
            }
        }
    }

    void release(final Block block) {
        checkClaimed(block);
        block.isClaimed = false;
        free.add(block);
    }

    private static void checkClaimed(final Block block) {
        if (!block.isClaimed) {
            throw new IllegalStateException("block: was submitted or released before (claim another one)");
        }
    }

    /**
     * Waits until all blocks that were submitted before are stored.
     *
     * @param timeout the longest wait.
     * @throws NoReplyException  when it took longer.
     * @throws PenstockException when one was not stored; the first one of those since the last flush.
     */
    public void flush(final Duration timeout) {
        if (status.isAgentThread()) {
            throw new IllegalStateException("flush: would wait on the client's own thread (call it on another one)");
        }
        lock.lock();
        try {
            final long awaited = submittedCount;
            long leftNs = timeout.toNanos();
            while (answeredCount < awaited) {
                if (leftNs <= 0) {
                    throw new NoReplyException("flush: " + (awaited - answeredCount) + " blocks of " + sink
                            + " are not stored within " + timeout.toMillis() + " ms (wait longer)");
                }
                leftNs = answered.awaitNanos(leftNs);
            }
            final PenstockException failure = firstFailure;
            firstFailure = null;
            if (failure != null) {
                throw failure.onCallersThread();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException("flush: interrupted while waiting for blocks of " + sink, e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for at most {@link ClientConfig#closeTimeoutNs()} until what was submitted is stored, and gives the memory
     * back. Blocks that are claimed must not be used any more. Idempotent.
     *
     * @throws PenstockException when something is not stored.
     */
    @Override
    public void close() {
        if (isCloseRequested) {
            return;
        }
        try {
            flush(Duration.ofNanos(config.closeTimeoutNs()));
        } finally {
            isCloseRequested = true;
            status.wakeup();
            awaitEnd();
        }
    }

    private void awaitEnd() {
        try {
            ended.get(config.closeTimeoutNs(), TimeUnit.NANOSECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final ExecutionException | TimeoutException ignored) {
            // The agent frees what it still uses when it ends.
        }
    }

    int writerId() {
        return writerId;
    }

    SinkOptions options() {
        return options;
    }

    CompletableFuture<Boolean> opened() {
        return opened;
    }

    boolean isCloseRequested() {
        return isCloseRequested;
    }

    /** The agent's: the next block that was submitted, or null. */
    @Nullable
    Block poll() {
        return submitted.poll();
    }

    boolean hasSubmitted() {
        return !submitted.isEmpty();
    }

    void onMemory(final UnsafeBuffer memory, final ByteBuffer bytes, final long tookNs) {
        registrationNs = tookNs;
        for (final Block block : blocks) {
            block.wrap(memory, bytes, options.blockLength());
            free.add(block);
        }
    }

    void onOpened(final boolean pulls) {
        isPulled = pulls;
        opened.complete(true);
    }

    void onResent() {
        lock.lock();
        try {
            resentCount++;
        } finally {
            lock.unlock();
        }
    }

    void onStored(final Block block, final long number, final long offset) {
        try {
            options.listener().onStored(block.tag, block.blockId, number, offset, block.length);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(options.listener(), e);
        }
        lock.lock();
        try {
            storedCount++;
            storedLength += block.length;
            answeredCount++;
            answered.signalAll();
        } finally {
            lock.unlock();
        }
        free.add(block);
    }

    void onFailed(final Block block, final PenstockException reason) {
        try {
            options.listener().onFailed(block.tag, reason);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(options.listener(), e);
        }
        lock.lock();
        try {
            firstFailure = firstFailure == null ? reason : firstFailure;
            answeredCount++;
            answered.signalAll();
        } finally {
            lock.unlock();
        }
        free.add(block);
    }

    /** The agent's: nothing is claimed or submitted from here on, so that what was can be answered to the last. */
    void refuse(final @Nullable PenstockException reason) {
        lock.lock();
        try {
            end = reason;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is delivered, and all that was submitted is answered. */
    void onEnd(final @Nullable PenstockException reason) {
        if (reason != null) {
            opened.completeExceptionally(reason);
        }
        ended.complete(true);
    }

    /** Takes the memory from the blocks of a writer that has ended. Returns false while a thread still has one. */
    boolean takeMemory() {
        if (free.size() < blocks.length) {
            return false;
        }
        for (final Block block : blocks) {
            block.unwrap();
        }
        return true;
    }
}
