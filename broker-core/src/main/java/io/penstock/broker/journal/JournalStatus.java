package io.penstock.broker.journal;

/** Whether a shard's journal takes records. Values of a counter. */
public final class JournalStatus {
    /** It does, or there is none. */
    public static final long OPEN = 0;

    /** There is no room for another file: it goes on when there is. Publishers are refused meanwhile. */
    public static final long FULL = 1;

    /** The disk has failed: it never goes on. Publishers are refused. */
    public static final long FAILED = 2;

    private JournalStatus() {}
}
