package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint with its memory. Made by the control thread, used by the agent from the time it was handed over until it was
 * given back, and ended by the control thread. Both read only the volatile fields meanwhile.
 *
 * <pre>
 *  block   slots for receives | slots for sends | pieces for control
 * </pre>
 */
final class Link {
    /** Chunks without records that may be on their way. */
    static final int CONTROL_COUNT = 4;

    static final int CONTROL_LENGTH = 64;

    /** Reads of the peer's memory that may be on their way. */
    static final int READ_COUNT = 4;

    /** One for the end of all. */
    private static final int END_COUNT = 1;

    private final VerbsEndpoint endpoint;
    private final int slotCount;
    private BlockPool.@Nullable Block block;
    private @Nullable BlockPool pool;
    private BodyKeys bodies = BodyKeys.NONE;
    private @Nullable InetSocketAddress peerAddress;
    private boolean isLocal;
    private int peerSlotCount;
    private long lastId;
    private boolean isDrained;
    private volatile boolean isDisconnected;
    private volatile boolean isBuried;

    /** The control thread's state of it. */
    final Progress progress = new Progress();

    Link(final VerbsEndpoint endpoint, final int slotCount) {
        this.endpoint = endpoint;
        this.slotCount = slotCount;
    }

    static int blockLength(final int slotCount) {
        return 2 * slotCount * Chunks.SLOT_LENGTH + CONTROL_COUNT * CONTROL_LENGTH;
    }

    static int sendCapacity(final int slotCount) {
        return slotCount + CONTROL_COUNT + READ_COUNT + END_COUNT;
    }

    VerbsEndpoint endpoint() {
        return endpoint;
    }

    /** Slots for each direction on this side. */
    int slotCount() {
        return slotCount;
    }

    void memory(final BlockPool from, final BlockPool.Block taken) {
        pool = from;
        block = taken;
    }

    void bodies(final BodyKeys keys) {
        bodies = keys;
    }

    /** Memory from which bodies are sent without a copy. */
    BodyKeys bodies() {
        return bodies;
    }

    /** Where its memory is from; any thread that was given the link. */
    BlockPool pool() {
        if (pool == null) {
            throw new IllegalStateException("rdma: a link without memory");
        }
        return pool;
    }

    BlockPool.Block block() {
        if (block == null) {
            throw new IllegalStateException("rdma: a link without memory");
        }
        return block;
    }

    /** When the device touches it no more. */
    void giveMemoryBack() {
        isBuried = true;
        if (pool != null && block != null) {
            pool.give(block);
            block = null;
        }
    }

    void peer(final InetSocketAddress address, final boolean isOfThisMachine) {
        peerAddress = address;
        isLocal = isOfThisMachine;
    }

    void peerSlotCount(final int count) {
        peerSlotCount = count;
    }

    /** The credits to begin with. */
    int peerSlotCount() {
        return peerSlotCount;
    }

    String peerText() {
        return peerAddress == null ? RdmaEndpoint.SCHEME + "://unknown" : RdmaEndpoint.textOf(peerAddress);
    }

    boolean isLocal() {
        return isLocal;
    }

    /** The agent is done with it: nothing is on its way, or, unless this was false, all until the request of that id. */
    void last(final boolean isAllDone, final long id) {
        isDrained = isAllDone;
        lastId = id;
    }

    boolean isDrained() {
        return isDrained;
    }

    long lastId() {
        return lastId;
    }

    void onDisconnected() {
        isDisconnected = true;
    }

    /** Whether the device touches nothing more that was posted on it. */
    boolean isBuried() {
        return isBuried;
    }

    /** Whether the connection manager reports that the peer has disconnected. Received data can still be polled. */
    boolean isDisconnected() {
        return isDisconnected;
    }
}
