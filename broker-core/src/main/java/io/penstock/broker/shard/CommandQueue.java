package io.penstock.broker.shard;

import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.command.ShardOperations;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Commands of other agents to a sequencer, in their order. A command without room in the log, or a reply without room
 * at its agent, holds up those after it. Filled by any thread; run by the sequencer.
 */
final class CommandQueue {
    private static final int LENGTH = 4 * 1024;
    private static final int COMMAND_LIMIT = 32;

    private final ManyToOneConcurrentArrayQueue<ShardCommand> commands = new ManyToOneConcurrentArrayQueue<>(LENGTH);
    private final Predicate<ShardCommand> replies;
    private @Nullable ShardCommand postponed;
    private @Nullable ShardCommand postponedReply;

    /**
     * @param replies takes a command back to the agent that waits for it; false when there is no room now.
     */
    CommandQueue(final Predicate<ShardCommand> replies) {
        this.replies = replies;
    }

    /** Takes a command; false when there is no room. */
    boolean offer(final ShardCommand command) {
        return commands.offer(command);
    }

    /** Whether a command or a reply waits for room, so that there is work without another. */
    boolean isRetrying() {
        return postponed != null || postponedReply != null;
    }

    /**
     * Runs some commands.
     *
     * @param operations what they run on.
     * @param mayRun     whether the next one may run now.
     * @param onRun      is run after each.
     * @return count of those that were done.
     */
    int run(final ShardOperations operations, final BooleanSupplier mayRun, final Runnable onRun) {
        if (postponedReply != null && !replies.test(postponedReply)) {
            return 0;
        }
        postponedReply = null;
        int count = 0;
        for (; count < COMMAND_LIMIT && mayRun.getAsBoolean(); count++) {
            final ShardCommand command = postponed == null ? commands.poll() : postponed;
            if (command == null) {
                break;
            }
            postponed = command.execute(operations) ? null : command;
            onRun.run();
            if (postponed != null) {
                break;
            }
            if (command.isReplied() && !replies.test(command)) {
                postponedReply = command;
                break;
            }
        }
        return count;
    }
}
