package io.penstock.broker.session.feed;

/** What serves a feed, as its I/O agent knows it. {@link FeedTransitions} has how one follows the other. */
enum FeedState {
    /** Its shard: the sequencer, as messages come, or as records change that it follows. */
    LIVE,

    /** The query that sends the state first: its shard holds it, and messages that follow are read by a cursor. */
    STATE,

    /** A cursor over the window. */
    CURSOR,

    /** A cursor over files. */
    FILES,

    /** Nothing yet: it begins in the log, or is to be served in another way, and its shard is asked to hold it. */
    SWITCHING,

    /** The same, after it was parked or has waited. A broker that stops waits for it. */
    STARTING,

    /** Nothing: its client has to go on first, to give credit or to read. */
    PARKED,

    /** Nothing: those whose place it has taken have to end first. */
    WAITING,

    /** Nothing any more: its range was sent, or its next record no longer exists. */
    ENDED;

    /** The state after an event. */
    FeedState after(final FeedEvent event) {
        return FeedTransitions.next(this, event);
    }
}
