package io.penstock.broker.shard.feed;

import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * Serves the subscriptions that are not live: each is a cursor over the window that enqueues matching records for its
 * I/O agent, and is handed back to the sequencer at an exact position once it has nearly caught up. Those that wait for
 * stable storage, or have a rate, stay cursors. Cursors of one client that are near one another share one pass over the
 * log. A cursor whose ring is full waits; one that falls out of the window ends, and its I/O agent is notified of the
 * place.
 */
public final class Replayer implements Agent {
    private static final int COMMAND_QUEUE_LENGTH = 16 * 1024;
    private static final int COMMAND_LIMIT = 256;

    /** How far behind a cursor may be to be handed over, in bytes: its live ring waits while it reads the rest. */
    private static final long HAND_OVER_DISTANCE = 64 * 1024;

    private final Sequencer[] sequencers;
    private final Reclaim[] reclaims;
    private final int readerIndex;
    private final NanoClock clock;
    private final AtomicCounter cursorCount;
    private final AtomicCounter bytesRead;
    private final HandOvers handOvers;
    private final ManyToOneConcurrentArrayQueue<Command> commands =
            new ManyToOneConcurrentArrayQueue<>(COMMAND_QUEUE_LENGTH);
    private final Long2ObjectHashMap<Cursor> byFeed = new Long2ObjectHashMap<>();
    private final ArrayList<CursorGroup> groups = new ArrayList<>();
    private final ArrayList<Cursor> lost = new ArrayList<>();
    private int busyCount;
    private int pacingCount;
    private int turn;
    private boolean isGoingOn;

    /**
     * @param sequencers  of all shards.
     * @param reclaims    of all shards.
     * @param readerIndex of the replayer in each reclaim.
     */
    public Replayer(
            final Sequencer[] sequencers,
            final Reclaim[] reclaims,
            final int readerIndex,
            final Runnable[] sequencerWakeups,
            final NanoClock clock,
            final AtomicCounter cursorCount,
            final AtomicCounter bytesRead) {
        this.sequencers = sequencers;
        this.reclaims = reclaims;
        this.readerIndex = readerIndex;
        handOvers = new HandOvers(sequencers, sequencerWakeups);
        this.clock = clock;
        this.cursorCount = cursorCount;
        this.bytesRead = bytesRead;
    }

    @Override
    public int doWork() {
        int workCount = executeCommands() + release();
        busyCount = 0;
        pacingCount = 0;
        isGoingOn = false;
        final long nowNs = clock.nanoTime();
        // Groups of one client share its ring: each in turn is the first to find room in it.
        final int count = groups.size();
        for (int i = 0; i < count; i++) {
            turn = turn + 1 < count ? turn + 1 : 0;
            workCount += serve(groups.get(turn), nowNs);
        }
        groups.removeIf(CursorGroup::isEmpty);
        turn++;
        for (int i = lost.size() - 1; i >= 0; i--) {
            if (lost.get(i).fellBehind()) {
                lost.remove(i);
                workCount++;
            }
        }
        cursorCount.setRelease(byFeed.size());
        return workCount;
    }

    @Override
    public String roleName() {
        return "replayer";
    }

    boolean start(final Interest interest, final DescriptorRing ring, final long position, final Replay replay) {
        return commands.offer(new Start(interest, ring, position, replay));
    }

    boolean stop(final long feed) {
        return commands.offer(new Stop(feed));
    }

    boolean rate(final long feed, final Rate rate) {
        return commands.offer(new SetRate(feed, rate));
    }

    boolean end(final long feed, final long toSequence) {
        return commands.offer(new End(feed, toSequence));
    }

    /** A sequencer has made a subscription live, or found it gone. Called on the sequencer's thread. */
    public void onAttached(final long feed, final long position) {
        handOvers.answer(feed, position);
    }

    /** Whether cursors have read something, and have stopped only to give others their turn, or as their ring was full. */
    public boolean isGoingOn() {
        return isGoingOn;
    }

    /** Whether cursors wait for room in rings or for a time, so that there is work without a command. */
    public boolean isServing() {
        return busyCount > 0 || !lost.isEmpty();
    }

    /** Whether a cursor waits for a time. */
    public boolean isPacing() {
        return pacingCount > 0;
    }

    private int executeCommands() {
        int count = 0;
        Command command;
        while (count < COMMAND_LIMIT && (command = commands.poll()) != null) {
            if (command instanceof Start start) {
                start(start);
            } else if (command instanceof Stop stop) {
                remove(byFeed.get(stop.feed()));
                lost.removeIf(cursor -> cursor.interest().feed() == stop.feed());
            } else if (command instanceof SetRate rate) {
                final Cursor cursor = byFeed.get(rate.feed());
                if (cursor != null) {
                    cursor.rate(rate.rate(), clock.nanoTime());
                }
            } else if (command instanceof End end) {
                final Cursor cursor = byFeed.get(end.feed());
                if (cursor != null) {
                    cursor.end(end.toSequence());
                }
            }
            count++;
        }
        HandOvers.Answer next;
        while ((next = handOvers.poll()) != null) {
            final Cursor cursor = byFeed.get(next.feed());
            if (cursor != null) {
                cursor.onAttached(next.position());
            }
            count++;
        }
        return count;
    }

    private void start(final Start start) {
        final int shard = start.interest().shard();
        final Sequencer sequencer = sequencers[shard];
        final long position = start.position() == CursorPort.BY_SEQUENCE
                ? positionBefore(shard, start.replay().sequence())
                : start.position();
        final CursorGroup group = group(start.ring(), shard);
        final Cursor cursor = new Cursor(
                start.interest(),
                start.replay(),
                group,
                Math.max(0, position),
                sequencer.shard().topics(),
                sequencer.shard().window().segmentLength(),
                clock.nanoTime());
        if (position < reclaims[shard].demanded()) {
            lost.add(cursor);
        } else {
            byFeed.put(start.interest().feed(), cursor);
            group.add(cursor);
        }
    }

    private CursorGroup group(final DescriptorRing ring, final int shard) {
        for (int i = groups.size() - 1; i >= 0; i--) {
            final CursorGroup group = groups.get(i);
            if (group.ring() == ring && group.shard() == shard) {
                return group;
            }
        }
        final Sequencer sequencer = sequencers[shard];
        final CursorGroup group = new CursorGroup(
                ring,
                shard,
                new LogReader(sequencer.shard().window(), sequencer.shard().published(), 0));
        groups.add(group);
        return group;
    }

    /** The start of the last segment that begins before a record, or at it; negative when there is none any more. */
    private long positionBefore(final int shard, final long sequence) {
        final LogWindow window = sequencers[shard].shard().window();
        final long oldest = reclaims[shard].demanded();
        long position = window.segmentStart(window.segmentNumber(
                Math.max(0, sequencers[shard].shard().published().get() - 1)));
        while (position > oldest && window.firstSequence(position) > sequence) {
            position -= window.segmentLength();
        }
        return position < oldest || window.firstSequence(position) > sequence ? -1 : position;
    }

    private int serve(final CursorGroup group, final long nowNs) {
        final Sequencer sequencer = sequencers[group.shard()];
        final long published = sequencer.shard().published().get();
        final long durable = sequencer.shard().counters().durablePosition().get();
        final long length = group.read(published, durable, nowNs);
        bytesRead.getAndAddPlain(length);
        isGoingOn |= length > 0 && group.hasMore();
        int workCount = length > 0 ? 1 : 0;
        final List<Cursor> cursors = group.cursors();
        for (int i = cursors.size() - 1; i >= 0; i--) {
            workCount += serve(cursors.get(i), published, durable);
        }
        return workCount;
    }

    /** Ends a cursor that has come to its end, or asks for its hand-over. */
    private int serve(final Cursor cursor, final long published, final long durable) {
        if (cursor.isEnded() || (cursor.isComplete() && cursor.end())) {
            remove(cursor);
            return 1;
        }
        if (cursor.waitsForDurable() && cursor.isIdle(Math.min(durable, published))) {
            return 0;
        }
        busyCount++;
        pacingCount += cursor.isLimited() ? 1 : 0;
        if (handOvers.hasRoom()
                && cursor.shouldAttach(published, HAND_OVER_DISTANCE)
                && handOvers.ask(cursor.interest().shard(), cursor.interest().feed())) {
            cursor.onAttachAsked();
            return 1;
        }
        return 0;
    }

    private int release() {
        int count = 0;
        for (int shard = 0; shard < reclaims.length; shard++) {
            final Reclaim reclaim = reclaims[shard];
            if (reclaim.isDue(readerIndex)) {
                final long position = reclaim.demanded();
                for (int i = groups.size() - 1; i >= 0; i--) {
                    if (groups.get(i).shard() == shard) {
                        release(groups.get(i), position);
                    }
                }
                reclaim.release(readerIndex, position);
                count++;
            }
        }
        return count;
    }

    private void release(final CursorGroup group, final long position) {
        for (int i = group.cursors().size() - 1; i >= 0; i--) {
            final Cursor cursor = group.cursors().get(i);
            if (cursor.position() < position) {
                lost.add(cursor);
                remove(cursor);
            }
        }
    }

    private void remove(final @Nullable Cursor cursor) {
        if (cursor != null) {
            byFeed.remove(cursor.interest().feed());
            cursor.group().remove(cursor);
        }
    }

    /** A command of another agent to the replayer. */
    private sealed interface Command {}

    private record Start(Interest interest, DescriptorRing ring, long position, Replay replay) implements Command {}

    private record Stop(long feed) implements Command {}

    private record SetRate(long feed, Rate rate) implements Command {}

    private record End(long feed, long toSequence) implements Command {}
}
