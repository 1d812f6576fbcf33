package io.penstock.transport.rdma;

import io.penstock.transport.rdma.Progress.Phase;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** The links of a transport, by their endpoints, and how far each has come. Owned by the control thread. */
final class Links {
    private final HashMap<VerbsEndpoint, Link> links = new HashMap<>();

    /** Those of them that the agent has not got. */
    private final LinkedHashSet<Link> waiting = new LinkedHashSet<>();

    private final NanoClock clock;

    Links(final NanoClock clock) {
        this.clock = clock;
    }

    void add(final Link link) {
        links.put(link.endpoint(), link);
    }

    void remove(final Link link) {
        links.remove(link.endpoint());
        waiting.remove(link);
    }

    /** The link over that endpoint; null when it is none of these. */
    @Nullable
    Link get(final VerbsEndpoint endpoint) {
        return links.get(endpoint);
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    /** All of them, as they are now. */
    List<Link> all() {
        return List.copyOf(links.values());
    }

    /** Those that the agent has not got, as they are now. */
    List<Link> waiting() {
        return List.copyOf(waiting);
    }

    /** Whether the agent has not got some of them. */
    boolean isAnyWaiting() {
        return !waiting.isEmpty();
    }

    /** The link is in that phase from here on, for that time. */
    void enter(final Link link, final Phase phase, final long timeoutNs) {
        final Progress progress = link.progress;
        progress.phase = phase;
        progress.deadlineNs = clock.nanoTime() + timeoutNs;
        if (phase == Phase.LIVE) {
            waiting.remove(link);
        } else {
            waiting.add(link);
        }
    }

    /** How many that the agent has not got are in that phase. */
    int countOf(final Phase phase) {
        int count = 0;
        for (final Link link : waiting) {
            count += link.progress.phase == phase ? 1 : 0;
        }
        return count;
    }
}
