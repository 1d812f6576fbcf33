package io.penstock.broker.session.client;

import io.penstock.broker.query.QuerySource;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.CloseQuery;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.command.Unsubscribe;
import io.penstock.broker.shard.feed.CursorPort;
import io.penstock.broker.shard.match.Interest;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One I/O agent's ways to shards and to the agents that serve cursors: commands without room there wait here, in order.
 * Confined to that agent.
 */
public final class ShardLinks {
    private final int ioAgent;
    private final ShardPort[] ports;
    private final CursorPort cursors;
    private final long[] releasedPositions;
    private final ArrayDeque<ShardCommand>[] waitingCommands;
    private final ArrayDeque<BooleanSupplier> waitingCursorCommands = new ArrayDeque<>();

    @SuppressWarnings({"unchecked", "rawtypes"})
    ShardLinks(final int ioAgent, final List<ShardPort> ports, final CursorPort cursors) {
        this.ioAgent = ioAgent;
        this.ports = ports.toArray(new ShardPort[0]);
        this.cursors = cursors;
        releasedPositions = new long[ports.size()];
        waitingCommands = new ArrayDeque[ports.size()];
        for (int i = 0; i < waitingCommands.length; i++) {
            waitingCommands[i] = new ArrayDeque<>();
        }
    }

    /** How many shards there are. */
    public int count() {
        return ports.length;
    }

    /** The way to a shard. */
    public ShardPort port(final int shard) {
        return ports[shard];
    }

    /** The ways to all of them, by number; not to be changed. */
    public ShardPort[] ports() {
        return ports;
    }

    /** The way to the agents that serve cursors. */
    public CursorPort cursors() {
        return cursors;
    }

    /** The position of a shard's log before which this agent reads nothing any more. */
    public long releasedPosition(final int shard) {
        return releasedPositions[shard];
    }

    /** The same, from now on. */
    public void releasedPosition(final int shard, final long position) {
        releasedPositions[shard] = position;
    }

    /** Hands a command to a shard, now or as soon as there is room. Bounded by the sessions, which wait for theirs. */
    public void submit(final int shard, final ShardCommand command) {
        if (!waitingCommands[shard].isEmpty() || !ports[shard].offer(command)) {
            waitingCommands[shard].add(command);
        }
    }

    /** Sends a command to the agents that serve cursors, now or as soon as there is room; in the order of calls. */
    public void onCursors(final BooleanSupplier command) {
        if (!waitingCursorCommands.isEmpty() || !command.getAsBoolean()) {
            waitingCursorCommands.add(command);
        }
    }

    /** Ends the cursor that serves a feed. */
    public void stopCursor(final SubscriptionFeed feed) {
        final long number = feed.interest().feed();
        final boolean inFiles = feed.isReadFromFiles();
        onCursors(() -> cursors.stop(number, inFiles));
    }

    /** Ends a feed in its shard, which replies when that is asked for. */
    public void unsubscribe(final long sessionId, final Interest feed, final boolean replied) {
        submit(feed.shard(), new Unsubscribe(ioAgent, sessionId, feed.feed(), replied));
    }

    /** Notifies shards that a query does not read their state any more. */
    public void closeSources(final List<QuerySource> sources) {
        for (final QuerySource source : sources) {
            submit(source.topic().shard(), new CloseQuery(ioAgent, 0, List.of(source)));
        }
    }

    /** Hands over what waits. Returns the number of commands. */
    int submitWaiting() {
        int count = 0;
        for (int i = 0; i < ports.length; i++) {
            ShardCommand command;
            while ((command = waitingCommands[i].peek()) != null && ports[i].offer(command)) {
                waitingCommands[i].remove();
                count++;
            }
        }
        BooleanSupplier command;
        while ((command = waitingCursorCommands.peek()) != null && command.getAsBoolean()) {
            waitingCursorCommands.remove();
            count++;
        }
        return count;
    }
}
