package io.penstock.broker.session.client;

import io.penstock.broker.shard.command.ShardCommand;
import org.jspecify.annotations.Nullable;

/** The command of a session that waits for replies of shards; nothing else is read from the session meanwhile. */
public final class PendingCommand {
    /** Called when all replies are there. */
    @FunctionalInterface
    public interface Completion {
        void onComplete(Session session);
    }

    /** Takes each reply. */
    @FunctionalInterface
    public interface ReplyHandler {
        void onReply(Session session, ShardCommand reply);
    }

    private final @Nullable ReplyHandler replyHandler;
    private final Completion completion;
    private int remaining;
    private @Nullable Runnable onAbandoned;

    /** Waits for so many replies; the handler, if there is one, gets each, and the completion follows the last. */
    public PendingCommand(
            final int replyCount, final @Nullable ReplyHandler replyHandler, final Completion completion) {
        remaining = replyCount;
        this.replyHandler = replyHandler;
        this.completion = completion;
    }

    /** Has something done if the session ends before the last reply: what earlier replies hold is to be given back. */
    public PendingCommand abandonedBy(final Runnable task) {
        onAbandoned = task;
        return this;
    }

    /** Its session has ended. */
    public void abandon() {
        if (onAbandoned != null) {
            onAbandoned.run();
        }
    }

    /** Waits for one reply, again. */
    public PendingCommand again() {
        remaining = 1;
        return this;
    }

    /** One of the replies is there. */
    public void onReply(final Session session, final ShardCommand reply) {
        if (replyHandler != null) {
            replyHandler.onReply(session, reply);
        }
        if (--remaining == 0) {
            session.commands().pending(null);
            completion.onComplete(session);
        }
    }
}
