package io.penstock.cluster;

import io.aeron.cluster.service.Cluster;

/** Is notified of what becomes of a node. Any thread; never blocks. */
interface NodeListener {
    /** It leads from now on, or follows. */
    void onRole(Cluster.Role role);

    /** It cannot go on: it would differ from the others. */
    void onLeave(String reason);

    /** A command was dropped, on all nodes. */
    void onBadCommand(String wrong);

    /** Something went wrong. The node goes on, unless it has ended one of its parts. */
    void onError(Throwable error);

    /** Whether the node is being closed, so that nothing waits any more. */
    boolean isClosing();
}
