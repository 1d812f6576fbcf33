package io.penstock.transport.ipc;

import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The words of a file in which each end notes what it waits for and how to ring it, and this end's way to ring the
 * other. Owned by the agent of the connection; the other end writes its own words at any time.
 */
final class WaitWords {
    private final UnsafeBuffer shared;
    private final int ownWords;
    private final int peerWords;
    private final Bell bell;
    private final @Nullable Futexes futexes;

    WaitWords(final UnsafeBuffer shared, final int ownEnd, final Bell bell, final @Nullable Futexes futexes) {
        this.shared = shared;
        this.bell = bell;
        this.futexes = futexes;
        ownWords = RingFile.words(ownEnd);
        peerWords = RingFile.words(1 - ownEnd);
        shared.putIntVolatile(ownWords + RingFile.RINGS_BY_FUTEX_OFFSET, futexes == null ? 0 : 1);
    }

    /** Rings if the peer waits for records. */
    void ringForRecords() {
        ringIfAsked(peerWords + RingFile.WANTS_BELL_OFFSET);
    }

    /** Rings if the peer waits for room. */
    void ringForRoom() {
        ringIfAsked(peerWords + RingFile.WAITS_FOR_ROOM_OFFSET);
    }

    private void ringIfAsked(final int wordOffset) {
        // Written data must be visible before the word is read: the peer does it the other way round.
        VarHandle.fullFence();
        if (shared.getIntVolatile(wordOffset) != 0) {
            // The value that is taken decides how to ring: the peer may have changed it meanwhile.
            ring(shared.getAndSetInt(wordOffset, 0));
        }
    }

    private void ring(final int how) {
        if (how == RingFile.BY_FUTEX && futexes != null) {
            final int futex = peerWords + RingFile.FUTEX_OFFSET;
            shared.putIntVolatile(futex, 1);
            futexes.wake(shared, futex);
        } else {
            bell.ring();
        }
    }

    /** Whether both ends ring by futex. */
    boolean ringByFutex() {
        return futexes != null && shared.getIntVolatile(peerWords + RingFile.RINGS_BY_FUTEX_OFFSET) != 0;
    }

    /** Has futexes wait for the word that the peer is to ring by, which is 0 by then. */
    void waitWith(final Futexes waiting) {
        shared.putIntVolatile(ownWords + RingFile.FUTEX_OFFSET, 0);
        waiting.add(shared, ownWords + RingFile.FUTEX_OFFSET);
    }

    /** Asks to be rung when there are records. */
    void askForRecords(final int how) {
        ask(ownWords + RingFile.WANTS_BELL_OFFSET, how);
    }

    /** Asks to be rung when there is room. */
    void askForRoom(final int how) {
        ask(ownWords + RingFile.WAITS_FOR_ROOM_OFFSET, how);
    }

    private void ask(final int wordOffset, final int how) {
        if (shared.getIntVolatile(wordOffset) != how) {
            shared.putIntVolatile(wordOffset, how);
        }
    }

    /** Notes that this end is closed on purpose. The caller then ends the bell, which wakes a waiting peer. */
    void close() {
        shared.putIntVolatile(ownWords + RingFile.IS_CLOSED_OFFSET, 1);
        if (shared.getIntVolatile(peerWords + RingFile.WANTS_BELL_OFFSET) == RingFile.BY_FUTEX) {
            ringForRecords();
        }
    }

    /** Whether the peer has closed its end on purpose. */
    boolean isPeerClosed() {
        return shared.getIntVolatile(peerWords + RingFile.IS_CLOSED_OFFSET) != 0;
    }
}
