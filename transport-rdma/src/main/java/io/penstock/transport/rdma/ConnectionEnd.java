package io.penstock.transport.rdma;

import org.jspecify.annotations.Nullable;

/** The reason for which a connection ends; received data is delivered first. Owned by the agent. */
final class ConnectionEnd {
    private @Nullable String failure;
    private boolean isPeerClosed;
    private boolean isQueueBroken;

    /** It is broken, for this reason unless there was another before. */
    void fail(final String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** It is broken, and the device has given up. */
    void breakQueue(final String reason) {
        isQueueBroken = true;
        fail(reason);
    }

    /** The peer sends nothing more. */
    void onPeerClosed() {
        isPeerClosed = true;
    }

    boolean isFailed() {
        return failure != null;
    }

    /** Whether the device has given up: it reads no memory any more. */
    boolean isQueueBroken() {
        return isQueueBroken;
    }

    /** Whether nothing can be sent any more, by what is known here. */
    boolean isDue() {
        return failure != null || isPeerClosed;
    }

    /**
     * The text for it.
     *
     * @param isGone whether the medium has lost the peer.
     * @return text for people.
     */
    String reason(final boolean isGone) {
        if (isPeerClosed) {
            return "closed by peer";
        }
        if (isGone) {
            return "peer is gone: its process ended, or its machine";
        }
        return failure == null ? "broken" : failure;
    }
}
