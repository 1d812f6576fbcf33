package io.penstock.broker.session.feed;

/** An event of a feed, after which something else serves it, or nothing does. */
public enum FeedEvent {
    /** Its shard holds it, until the state was sent that comes first. */
    STATE_BEGUN,

    /** A cursor over the window was started. */
    CURSOR_STARTED,

    /** A cursor over files was started. */
    FILES_STARTED,

    /** A cursor over files has come to where the window is, and one over the window goes on. */
    FILES_READ,

    /** A cursor has come to where its shard makes it live. */
    CAUGHT_UP,

    /** A cursor has enqueued all there is for the feed. */
    RANGE_SENT,

    /** The next record of a cursor no longer exists. */
    LOST,

    /** Nothing may be sent for now. */
    HELD_BACK,

    /** Its next record may be sent: its shard is asked to hold it. */
    RESUMED,

    /** Others have to be sent something before. */
    PUT_OFF,

    /** Its shard, which follows state for it, holds it no more. */
    RELEASED
}
