package io.penstock.broker.session;

import io.penstock.broker.security.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.ArrayListUtil;
import org.jspecify.annotations.Nullable;

/**
 * Room for the long frames of one I/O agent's sessions. Who finds none takes the place of a sender that has stalled, if
 * there is one: of its own identity when it is that which holds too much, else of the one that holds most. An identity is
 * an authenticated user, or the address that an anonymous client has connected from. Confined to that agent.
 */
final class Staging {
    private final StagingPool pool;
    private final long progressTimeoutNs;
    private final Evictor evictor;
    private final Map<String, StagingShare> shares = new HashMap<>();
    private final ArrayList<Session> busy = new ArrayList<>();

    /** Before then no sender is stalled. */
    private long stalledFromNs = Long.MIN_VALUE;

    Staging(final long lengthMax, final long progressTimeoutNs, final Evictor evictor) {
        pool = new StagingPool(lengthMax);
        this.progressTimeoutNs = progressTimeoutNs;
        this.evictor = evictor;
    }

    /** Takes room for a session's frame; false when there is none now. */
    boolean begin(final Session session, final int frameLength, final long nowNs) {
        final StagingShare share = share(session);
        StagingSlot slot = pool.acquire(frameLength, share);
        while (slot == null) {
            final Session stalled = findStalled(pool.isWithinShare(frameLength, share) ? null : share, nowNs);
            if (stalled == null) {
                return false;
            }
            evict(stalled);
            slot = pool.acquire(frameLength, share);
        }
        session.assembler.start(slot, frameLength, nowNs);
        session.assembler.index = busy.size();
        busy.add(session);
        return true;
    }

    /** The session's frame is whole; its slot belongs to the caller until it is released. */
    void detach(final Session session) {
        final FrameAssembler assembler = session.assembler;
        final int index = assembler.index;
        ArrayListUtil.fastUnorderedRemove(busy, index);
        if (index < busy.size()) {
            busy.get(index).assembler.index = index;
        }
        assembler.end();
    }

    /** Takes a slot back. */
    void release(final StagingSlot slot) {
        pool.release(slot);
        forgetUnused(slot.share);
    }

    /** The session is closed. */
    void onClosed(final Session session) {
        abort(session);
        final StagingShare share = session.stagingShare;
        if (share != null) {
            session.stagingShare = null;
            share.sessionCount--;
            forgetUnused(share);
        }
    }

    /** Bytes of all slots, in use or free. */
    long length() {
        return pool.length();
    }

    private void evict(final Session stalled) {
        evictor.onStalled(stalled);
        abort(stalled);
    }

    private void abort(final Session session) {
        final StagingSlot slot = session.assembler.slot();
        if (slot != null) {
            detach(session);
            release(slot);
        }
    }

    /**
     * The stalled session of the identity that holds most, and of those the one that has stalled longest; null when there is
     * none.
     *
     * @param of the share to look at; null for all.
     */
    private @Nullable Session findStalled(final @Nullable StagingShare of, final long nowNs) {
        // Those that wait for room ask again and again, so they look only when there can be somebody.
        if (nowNs < (of == null ? stalledFromNs : of.stalledFromNs)) {
            return null;
        }
        Session found = null;
        long firstNs = nowNs;
        for (int i = 0; i < busy.size(); i++) {
            final Session session = busy.get(i);
            if (of == null || session.stagingShare == of) {
                firstNs = Math.min(firstNs, session.assembler.progressNs());
                if (session.assembler.isStalled(nowNs, progressTimeoutNs) && isBefore(session, found)) {
                    found = session;
                }
            }
        }
        if (found != null) {
            return found;
        }
        if (of == null) {
            stalledFromNs = firstNs + progressTimeoutNs;
        } else {
            of.stalledFromNs = firstNs + progressTimeoutNs;
        }
        return null;
    }

    private static boolean isBefore(final Session session, final @Nullable Session other) {
        if (other == null || session.stagingShare == null || other.stagingShare == null) {
            return true;
        }
        final int byLength = Long.compare(session.stagingShare.length, other.stagingShare.length);
        return byLength > 0 || (byLength == 0 && session.assembler.progressNs() < other.assembler.progressNs());
    }

    private StagingShare share(final Session session) {
        StagingShare share = session.stagingShare;
        if (share == null) {
            share = shares.computeIfAbsent(identity(session), StagingShare::new);
            share.sessionCount++;
            session.stagingShare = share;
        }
        return share;
    }

    private void forgetUnused(final StagingShare share) {
        if (share.sessionCount == 0 && share.length == 0) {
            shares.remove(share.identity, share);
        }
    }

    /** A port says nothing of who has it. */
    private static String identity(final Session session) {
        if (!session.principal.equals(Principal.ANONYMOUS)) {
            return "user " + session.principal.name();
        }
        final String peer = session.connection.peer();
        final int port = peer.lastIndexOf(':');
        return port > peer.indexOf(':') ? peer.substring(0, port) : peer;
    }

    /** Tells a session that it has to go, because somebody else needs its room. */
    @FunctionalInterface
    interface Evictor {
        void onStalled(Session session);
    }
}
