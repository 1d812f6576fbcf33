package io.penstock.client.sink;

import io.penstock.client.BackPressureException;
import io.penstock.client.ClientConfig;
import io.penstock.client.NoReplyException;
import io.penstock.client.PenstockException;
import io.penstock.client.SinkOptions;
import io.penstock.client.warning.ClientLog;
import io.penstock.client.warning.Failures;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Internal: implements a {@link io.penstock.client.BlockWriter}: its blocks, and where each of them is. Safe on any
 * thread; a block is one thread's at a time.
 */
public final class SinkWriter {
    private final CompletableFuture<Boolean> opened = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private final SinkTally tally = new SinkTally();
    private final ClientGate gate;
    private final ClientConfig config;
    private final SinkOptions options;
    private final Name name;
    private final SinkBlock[] blocks;
    private final ArrayBlockingQueue<SinkBlock> free;
    private final ManyToOneConcurrentArrayQueue<SinkBlock> submitted;
    private volatile @Nullable PenstockException end;
    private volatile boolean isCloseRequested;
    private volatile long registrationNs;
    private volatile boolean isPulled;

    /** Who delivers to what. */
    private record Name(String sink, String producer, int writerId) {}

    /** Internal: one that is not open yet. */
    public SinkWriter(
            final ClientGate gate,
            final ClientConfig config,
            final String sink,
            final int writerId,
            final SinkOptions options) {
        this.gate = gate;
        this.config = config;
        this.options = options;
        name = new Name(sink, producerOf(options, config.name()), writerId);
        free = new ArrayBlockingQueue<>(options.blockCount());
        submitted = new ManyToOneConcurrentArrayQueue<>(Math.max(2, options.blockCount()));
        blocks = new SinkBlock[options.blockCount()];
        final int stride = strideOf(options);
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = new SinkBlock(this, i, i * stride);
        }
    }

    private static String producerOf(final SinkOptions options, final String clientName) {
        if (!options.producer().isEmpty()) {
            return options.producer();
        }
        return (clientName.isEmpty() ? "producer" : clientName) + "-" + UUID.randomUUID();
    }

    /** Each block begins on a cache line of its own. */
    private static int strideOf(final SinkOptions options) {
        return options.blockCount() == 1
                ? options.blockLength()
                : (int) Math.min((options.blockLength() + 63L) & -64L, (Integer.MAX_VALUE - 8L) / options.blockCount());
    }

    /** Internal: waits until the broker lets it deliver. */
    public void awaitOpen() {
        try {
            opened.get(config.requestTimeoutNs(), TimeUnit.NANOSECONDS);
            return;
        } catch (final ExecutionException e) {
            giveUp();
            throw e.getCause() instanceof PenstockException reason
                    ? reason.onCallersThread()
                    : new PenstockException(
                            "sink: " + sink() + " cannot be opened: " + Failures.nameOf(e.getCause()), e.getCause());
        } catch (final TimeoutException e) {
            giveUp();
            throw new NoReplyException("sink: no answer to the opening of " + sink() + " from " + config.endpoint()
                    + " within " + TimeUnit.NANOSECONDS.toMillis(config.requestTimeoutNs()) + " ms");
        } catch (final InterruptedException e) {
            giveUp();
            Thread.currentThread().interrupt();
            throw new PenstockException("sink: interrupted while opening " + sink(), e);
        }
    }

    private void giveUp() {
        isCloseRequested = true;
        gate.wakeup();
    }

    /** Internal: name of the sink. */
    public String sink() {
        return name.sink();
    }

    /** Internal: the producer's name. */
    public String producer() {
        return name.producer();
    }

    /** Internal: all the memory that this writer ever takes for blocks, in bytes. */
    public long memoryLength() {
        return (long) strideOf(options) * blocks.length;
    }

    /** Internal: how long it took to make the memory and to register it. */
    public long registrationNs() {
        return registrationNs;
    }

    /** Internal: whether the broker pulls blocks. */
    public boolean isPulled() {
        return isPulled;
    }

    /** Internal: blocks that are stored. */
    public long storedCount() {
        return tally.storedCount();
    }

    /** Internal: bytes of the blocks that are stored. */
    public long storedLength() {
        return tally.storedLength();
    }

    /** Internal: blocks that were offered again. */
    public long resentCount() {
        return tally.resentCount();
    }

    /** Internal: one of its blocks, from 0 on. */
    public SinkBlock block(final int index) {
        return blocks[index];
    }

    /** Internal: takes a block to fill, and waits while there is none. */
    public SinkBlock claim(final Duration timeout) {
        checkOpen();
        try {
            final SinkBlock block = free.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
            checkOpen(block);
            if (block == null) {
                throw new BackPressureException("claim: no block of " + sink() + " has become free within "
                        + timeout.toMillis() + " ms: all " + blocks.length
                        + " are filled or on their way (wait longer, or give the writer more blocks)");
            }
            block.isClaimed = true;
            return block;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException("claim: interrupted while waiting for a block of " + sink(), e);
        }
    }

    private void checkOpen(final @Nullable SinkBlock claimed) {
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
            throw new PenstockException("sink: writer of " + sink() + " is closed (open another one)", null);
        }
        // A client that has ended takes no more blocks, even while its writers are not notified yet.
        gate.checkOpen();
    }

    void submit(final SinkBlock block) {
        checkClaimed(block);
        gate.beginPost();
        boolean isPosted = false;
        try {
            gate.checkOpen();
            tally.begin();
            try {
                checkOpen();
                block.isClaimed = false;
                tally.onSubmitted();
                // There is room for all blocks.
                submitted.offer(block);
            } finally {
                tally.end();
            }
            isPosted = true;
        } finally {
            if (isPosted) {
                gate.onPosted();
            } else {
                gate.endPost();
            }
        }
    }

    void release(final SinkBlock block) {
        checkClaimed(block);
        block.isClaimed = false;
        free.add(block);
    }

    private static void checkClaimed(final SinkBlock block) {
        if (!block.isClaimed) {
            throw new IllegalStateException("block: was submitted or released before (claim another one)");
        }
    }

    /** Internal: waits until all blocks that were submitted before are stored. */
    public void flush(final Duration timeout) {
        if (gate.isAgentThread()) {
            throw new IllegalStateException("flush: would wait on the client's own thread (call it on another one)");
        }
        tally.await(sink(), timeout.toNanos());
    }

    /** Internal: waits until what was submitted is stored, and gives the memory back. Idempotent. */
    public void close() {
        if (isCloseRequested) {
            return;
        }
        try {
            flush(Duration.ofNanos(config.closeTimeoutNs()));
        } finally {
            isCloseRequested = true;
            gate.wakeup();
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
        return name.writerId();
    }

    CompletableFuture<Boolean> opened() {
        return opened;
    }

    boolean isCloseRequested() {
        return isCloseRequested;
    }

    /** The agent's: the next block that was submitted, or null. */
    @Nullable
    SinkBlock poll() {
        return submitted.poll();
    }

    boolean hasSubmitted() {
        return !submitted.isEmpty();
    }

    void onMemory(final UnsafeBuffer memory, final ByteBuffer bytes, final long tookNs) {
        registrationNs = tookNs;
        for (final SinkBlock block : blocks) {
            block.wrap(memory, bytes, options.blockLength());
            free.add(block);
        }
    }

    void onOpened(final boolean pulls) {
        isPulled = pulls;
        opened.complete(true);
    }

    void onResent() {
        tally.onResent();
    }

    void onStored(final SinkBlock block, final long number, final long offset) {
        try {
            options.listener().onStored(block.tag, block.blockId, number, offset, block.length);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(options.listener(), e);
        }
        tally.onStored(block.length);
        free.add(block);
    }

    void onFailed(final SinkBlock block, final PenstockException reason) {
        try {
            options.listener().onFailed(block.tag, reason);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(options.listener(), e);
        }
        tally.onFailed(reason);
        free.add(block);
    }

    /** The agent's: nothing is claimed or submitted from here on, so that what was can be answered to the last. */
    void refuse(final @Nullable PenstockException reason) {
        tally.begin();
        try {
            end = reason;
        } finally {
            tally.end();
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
        for (final SinkBlock block : blocks) {
            block.unwrap();
        }
        return true;
    }
}
