package io.penstock.transport.rdma;

import io.penstock.transport.rdma.Hello.Refusal;
import io.penstock.transport.rdma.Progress.Phase;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Answers peers that ask to connect, and keeps the links that were accepted until the agent takes them. Owned by the
 * control thread, except where a method says otherwise.
 */
final class Acceptance {
    /** Links that were accepted and not taken by the agent; further requests are refused. */
    static final int BACKLOG = 128;

    private static final long ACCEPT_NS = TimeUnit.SECONDS.toNanos(10);

    private final ManyToOneConcurrentArrayQueue<Link> accepted = new ManyToOneConcurrentArrayQueue<>(BACKLOG);
    private final Links links;
    private final LinkPreparation preparation;
    private final LinkEnding ending;
    private final Faults faults;
    private final int slotCount;
    private final Runnable wakeAgent;
    private boolean isClosing;

    Acceptance(
            final Links links,
            final LinkPreparation preparation,
            final LinkEnding ending,
            final Faults faults,
            final int slotCount,
            final Runnable wakeAgent) {
        this.links = links;
        this.preparation = preparation;
        this.ending = ending;
        this.faults = faults;
        this.slotCount = slotCount;
        this.wakeAgent = wakeAgent;
    }

    /** Takes a link that was accepted, or null. Agent. */
    @Nullable
    Link take() {
        return accepted.poll();
    }

    /** Whether there is one to take. Agent. */
    boolean hasAccepted() {
        return !accepted.isEmpty();
    }

    /** A peer asks. */
    void onRequest(final VerbsEndpoint endpoint, final int peerSlotCount) {
        if (peerSlotCount == 0) {
            refuse(endpoint, Refusal.OTHER_VERSION);
        } else if (isClosing) {
            refuse(endpoint, Refusal.CLOSING);
        } else if (accepted.size() + links.countOf(Phase.ACCEPTED) >= BACKLOG) {
            refuse(endpoint, Refusal.TOO_MANY_WAIT);
        } else {
            accept(endpoint, peerSlotCount);
        }
    }

    private static void refuse(final VerbsEndpoint endpoint, final Refusal refusal) {
        endpoint.reject(Hello.of(refusal), 0, Hello.LENGTH);
        endpoint.close();
    }

    private void accept(final VerbsEndpoint endpoint, final int peerSlotCount) {
        final Link link = new Link(endpoint, slotCount);
        link.peerSlotCount(peerSlotCount);
        try {
            preparation.prepare(link);
        } catch (final IOException | RuntimeException | OutOfMemoryError ex) {
            faults.report("a peer was refused: " + Faults.reasonOf(ex), ex);
            endpoint.reject(Hello.of(Refusal.NO_MEMORY), 0, Hello.LENGTH);
            endpoint.close();
            link.giveMemoryBack();
            return;
        }
        links.add(link);
        links.enter(link, Phase.ACCEPTED, ACCEPT_NS);
        try {
            endpoint.accept(Hello.of(link.slotCount()), 0, Hello.LENGTH);
        } catch (final IOException ignored) {
            // The peer has disconnected meanwhile.
            ending.finish(link);
        } catch (final RuntimeException | OutOfMemoryError ex) {
            ending.finish(link);
            faults.add(ex);
        }
    }

    /** The peer has heard that it was accepted. */
    void onEstablished(final Link link) {
        links.enter(link, Phase.LIVE, 0);
        if (accepted.offer(link)) {
            wakeAgent.run();
        } else {
            ending.end(link);
        }
    }

    /** Refuses all requests from here on. */
    void close() {
        isClosing = true;
    }

    /** Ends those that the agent has not taken. */
    void endAll() {
        Link link;
        while ((link = accepted.poll()) != null) {
            ending.end(link);
        }
    }
}
