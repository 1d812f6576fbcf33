package io.penstock.broker.session.client;

import io.penstock.broker.security.Identity;
import io.penstock.broker.security.Principal;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.staging.StagingPool;
import io.penstock.broker.staging.StagingShare;
import io.penstock.broker.staging.StagingSlot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.ArrayListUtil;
import org.jspecify.annotations.Nullable;

/**
 * Room for the long frames of one I/O agent's sessions. A frame that finds no room takes the place of a stalled sender,
 * if there is one: of its own identity if that holds too much, else of the identity that holds most. An identity is an
 * authenticated user, or the address that an anonymous client has connected from. Confined to that agent.
 */
public final class Staging {
    /** How often in the time that a sender has to go on in one that waits looks at the others. */
    private static final int LOOKS = 16;

    private final StagingPool pool;
    private final long progressTimeoutNs;
    private final Evictor evictor;
    private final Map<String, StagingShare> shares = new HashMap<>();
    private final ArrayList<Session> busy = new ArrayList<>();
    private final ArrayDeque<Submission> submitted = new ArrayDeque<>();

    Staging(final long lengthMax, final long progressTimeoutNs, final Evictor evictor) {
        pool = new StagingPool(lengthMax);
        this.progressTimeoutNs = progressTimeoutNs;
        this.evictor = evictor;
    }

    /** Takes room for a session's frame; false when there is none now. All times are those in which its agent could read. */
    public boolean begin(final Session session, final int frameLength, final long nowNs) {
        final StagingShare share = share(session);
        final int slotLength = StagingPool.slotLength(frameLength);
        if (!takeOfBound(session, share, frameLength, nowNs)) {
            return false;
        }
        final StagingSlot slot = acquire(session, share, frameLength, nowNs);
        if (slot == null) {
            share.bound().giveBack(slotLength);
            return false;
        }
        session.assembler().start(slot, frameLength, nowNs);
        session.assembler().index = busy.size();
        busy.add(session);
        return true;
    }

    /** Those of its own identity that have stalled here make room in its bound, which is one over all agents. */
    private boolean takeOfBound(
            final Session session, final StagingShare share, final int frameLength, final long nowNs) {
        final int slotLength = StagingPool.slotLength(frameLength);
        boolean isTaken = share.bound().take(slotLength);
        if (!isTaken && mayMakeRoom(session, share, frameLength, slotLength, nowNs)) {
            Session stalled;
            while (!isTaken && (stalled = findStalled(share, nowNs)) != null) {
                evict(stalled);
                isTaken = share.bound().take(slotLength);
            }
        }
        return isTaken;
    }

    private @Nullable StagingSlot acquire(
            final Session session, final StagingShare share, final int frameLength, final long nowNs) {
        StagingSlot slot = pool.acquire(frameLength, share);
        if (slot == null && !mayMakeRoom(session, share, frameLength, 0, nowNs)) {
            return null;
        }
        while (slot == null) {
            final Session stalled = findStalled(pool.isWithinShare(frameLength, share) ? null : share, nowNs);
            if (stalled == null) {
                return null;
            }
            evict(stalled);
            slot = pool.acquire(frameLength, share);
        }
        return slot;
    }

    /** The session's frame is whole; its slot belongs to the caller until it is released. */
    public void detach(final Session session) {
        final FrameAssembler assembler = session.assembler();
        final int index = assembler.index;
        ArrayListUtil.fastUnorderedRemove(busy, index);
        if (index < busy.size()) {
            busy.get(index).assembler().index = index;
        }
        assembler.end();
    }

    private void release(final StagingSlot slot) {
        pool.release(slot);
        slot.share().bound().giveBack(slot.buffer().capacity());
        forgetUnused(slot.share());
    }

    /** A slot was handed to a sequencer: it comes back when the message in it was processed. */
    public void onSubmitted(final StagingSlot slot, final ShardPort port) {
        submitted.add(new Submission(slot, port, port.submitted()));
    }

    /** Takes slots back whose messages were processed. Returns their number. */
    int releaseSubmitted() {
        int count = 0;
        Submission next;
        while ((next = submitted.peek()) != null && next.port.processed() >= next.number) {
            release(next.slot);
            submitted.remove();
            count++;
        }
        return count;
    }

    /** The session is closed. */
    public void onClosed(final Session session) {
        abort(session);
        final StagingShare share = session.assembler().share;
        if (share != null) {
            session.assembler().share = null;
            share.onSessionClosed();
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
        final StagingSlot slot = session.assembler().slot();
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
        Session found = null;
        for (int i = 0; i < busy.size(); i++) {
            final Session session = busy.get(i);
            if ((of == null || session.assembler().share == of)
                    && session.assembler().isStalled(nowNs, progressTimeoutNs)
                    && isBefore(session, found)) {
                found = session;
            }
        }
        return found;
    }

    /**
     * Whether there would be room for a frame without all who have stalled: else they may stay.
     *
     * @param ofBound bytes that its identity's bound has yet to give; 0 when they were taken.
     */
    private boolean mayMakeRoom(
            final Session session,
            final StagingShare share,
            final int frameLength,
            final int ofBound,
            final long nowNs) {
        if (nowNs < session.assembler().lookAgainNs) {
            return false;
        }
        long ownLength = 0;
        long totalLength = 0;
        for (int i = 0; i < busy.size(); i++) {
            final Session other = busy.get(i);
            final StagingSlot slot = other.assembler().slot();
            if (slot != null && other.assembler().isStalled(nowNs, progressTimeoutNs)) {
                totalLength += slot.buffer().capacity();
                ownLength += other.assembler().share == share ? slot.buffer().capacity() : 0;
            }
        }
        final boolean isEnough = pool.hasRoom(frameLength, share, ownLength, totalLength)
                && (ofBound == 0 || share.bound().hasRoom(ofBound, ownLength));
        session.assembler().lookAgainNs = isEnough ? nowNs : nowNs + progressTimeoutNs / LOOKS;
        return isEnough;
    }

    private static boolean isBefore(final Session session, final @Nullable Session other) {
        if (other == null || session.assembler().share == null || other.assembler().share == null) {
            return true;
        }
        final int byLength = Long.compare(
                session.assembler().share.length(), other.assembler().share.length());
        return byLength > 0
                || (byLength == 0
                        && session.assembler().progressNs() < other.assembler().progressNs());
    }

    private StagingShare share(final Session session) {
        StagingShare share = session.assembler().share;
        if (share == null) {
            share = shares.computeIfAbsent(
                    identity(session),
                    identity -> new StagingShare(identity, session.profile().use()));
            share.onSession();
            session.assembler().share = share;
        }
        return share;
    }

    private void forgetUnused(final StagingShare share) {
        if (share.isUnused()) {
            shares.remove(share.identity(), share);
        }
    }

    private static String identity(final Session session) {
        return session.profile().principal().equals(Principal.ANONYMOUS)
                ? Identity.host(session.peer())
                : session.identity();
    }

    /** A message that lies in a slot, as the port counts it. */
    private record Submission(StagingSlot slot, ShardPort port, long number) {}

    /** Ends a session, because another one needs its room. */
    @FunctionalInterface
    interface Evictor {
        void onStalled(Session session);
    }
}
