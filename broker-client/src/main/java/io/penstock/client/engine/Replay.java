package io.penstock.client.engine;

import io.penstock.client.AckMode;
import io.penstock.client.Bookmark;
import io.penstock.client.BookmarkStore;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.session.CommandFrame;
import io.penstock.protocol.BookmarkText;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a subscription to the log: the messages taken from the connection, after which it goes on on a new
 * one; if it has a name, also the messages that the program has processed, which are noted in the store. Owned by the
 * agent, except {@link #onProcessed}.
 */
final class Replay {
    private static final long UNKNOWN = -1;

    private final String name;
    private final ReplayRequest request;
    private final @Nullable BookmarkStore store;
    private final @Nullable AckMode mode;
    private final @Nullable OpenMessages open;
    private long[] taken = new long[0];

    /**
     * Where it ends in the shards that the broker has reported, fixed when it began: on a new connection it is the
     * same.
     */
    private Bookmark end = Bookmark.NONE;

    /** One without a name: nothing is noted. */
    Replay(final ReplayRequest request) {
        name = "";
        this.request = request;
        store = null;
        mode = null;
        open = null;
    }

    /** Without a mode the program says in their order with which messages it is done. */
    Replay(
            final String name,
            final ReplayRequest request,
            final BookmarkStore store,
            final @Nullable AckMode mode,
            final int limit,
            final Runnable wakeup) {
        this.name = name;
        this.request = request;
        this.store = store;
        this.mode = mode;
        open = mode == AckMode.MANUAL
                ? new OpenMessages(limit, (shard, sequence) -> store.note(name, shard, sequence), wakeup)
                : null;
        final Bookmark last = store.last(name);
        for (int shard = 0; shard < BookmarkText.SHARD_COUNT_MAX; shard++) {
            if (last.sequence(shard) != UNKNOWN) {
                take(shard, last.sequence(shard));
            }
        }
    }

    /** Whether what was processed is noted. */
    boolean isNamed() {
        return store != null;
    }

    /** The first grant of credit, in bytes; 0 when no credit is needed. */
    long credit() {
        return request.credit();
    }

    /** Whether the subscription is over when everything was sent that was asked for. */
    boolean hasEnd() {
        return request.to().kind() != LogPlace.Kind.NO_END;
    }

    /** The command that begins or goes on. */
    CommandFrame frame(final long subscriptionId) {
        Bookmark bookmark = Bookmark.NONE;
        for (int shard = 0; shard < taken.length; shard++) {
            if (taken[shard] != UNKNOWN) {
                bookmark = bookmark.with(shard, taken[shard]);
            }
        }
        ReplayRequest rest = request;
        if (!bookmark.equals(Bookmark.NONE)) {
            rest = rest.from(LogPlace.bookmark(bookmark));
        }
        if (!end.equals(Bookmark.NONE)) {
            rest = rest.to(new LogPlace(LogPlace.Kind.NOW, end, false, 0));
        }
        return CommandFrame.subscribeFrom(subscriptionId, rest);
    }

    /** The broker says after which message of a shard the subscription begins, and with which it ends, if it does. */
    void onBegin(final int shard, final long sequence, final long endSequence) {
        final boolean isMoving = hasEnd() && request.to().kind() != LogPlace.Kind.TIME;
        if (isMoving && endSequence >= 0 && end.sequence(shard) == UNKNOWN) {
            end = end.with(shard, endSequence);
        }
        if (shard >= taken.length || taken[shard] == UNKNOWN) {
            take(shard, sequence);
            note(shard, sequence);
        }
    }

    /** Whether a message may be handed over now; else it is offered again later. */
    boolean hasRoom() {
        return open == null || open.hasRoom();
    }

    boolean isRepeated(final int shard, final long sequence) {
        return shard < taken.length && sequence <= taken[shard];
    }

    /** Whether a message was about to be handed over before, was refused then, and counts as open. */
    boolean isOffered(final int shard, final long sequence) {
        return open != null && open.isNewest(shard, sequence);
    }

    /** A message is about to be handed over. */
    void onOffered(final int shard, final long sequence) {
        if (open != null) {
            open.add(shard, sequence);
        }
    }

    /** A message was handed over. */
    void onTaken(final int shard, final long sequence) {
        take(shard, sequence);
        if (mode == AckMode.AUTO) {
            note(shard, sequence);
        }
    }

    /** Called by any thread: the program is done with a message. */
    void onProcessed(final int shard, final long sequence) {
        if (open == null) {
            note(shard, sequence);
        } else {
            open.done(shard, sequence);
        }
    }

    private void note(final int shard, final long sequence) {
        if (store != null) {
            store.note(name, shard, sequence);
        }
    }

    private void take(final int shard, final long sequence) {
        if (shard >= taken.length) {
            final int former = taken.length;
            taken = Arrays.copyOf(taken, shard + 1);
            Arrays.fill(taken, former, shard + 1, UNKNOWN);
        }
        taken[shard] = sequence;
    }
}
