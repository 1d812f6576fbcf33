package io.penstock.broker.shard.command;

/** The client of a subscription has been sent the state, or the rows are known that its other filter is about. */
public final class Resume extends LocalCommand {
    private static final int[] NO_ROWS = {};

    private final long feed;
    private final int[] rows;
    private final boolean isLast;

    public Resume(final int ioAgent, final long sessionId, final long feed) {
        this(ioAgent, sessionId, feed, NO_ROWS, true);
    }

    /**
     * Makes a command.
     *
     * @param ioAgent   of the client.
     * @param sessionId of the client.
     * @param feed      of the subscription.
     * @param rows      that only one of its filters matches, the earlier or the present one.
     * @param isLast    whether these are the last of them, so that it goes on.
     */
    public Resume(final int ioAgent, final long sessionId, final long feed, final int[] rows, final boolean isLast) {
        super(ioAgent, sessionId);
        this.feed = feed;
        this.rows = rows;
        this.isLast = isLast;
    }

    @Override
    public boolean isReplied() {
        return false;
    }

    @Override
    void run(final LocalOperations shard) {
        shard.addRows(feed, rows);
        if (isLast) {
            shard.resume(feed);
        }
    }
}
