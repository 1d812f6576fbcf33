package io.penstock.broker.shard.feed;

import io.penstock.broker.journal.LogPages;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;

/** An I/O agent's way to the agents that serve subscriptions that are not live: from the window, and from files. */
public interface CursorPort {
    /** A position in the window that is to be found by its sequence. */
    long BY_SEQUENCE = -1;

    /**
     * Starts a cursor over the window.
     *
     * @param interest what the subscription wants.
     * @param ring     to the client's I/O agent.
     * @param position from which on it is served, or {@link #BY_SEQUENCE}.
     * @param replay   what it is to read.
     * @return false when there is no room for the command now.
     */
    boolean start(Interest interest, DescriptorRing ring, long position, Replay replay);

    /**
     * Starts a cursor over the files.
     *
     * @param interest what the subscription wants, of a shard that is journaled.
     * @param ring     to the client's I/O agent, for files.
     * @param replay   what it is to read.
     * @return false when there is no room for the command now.
     */
    boolean startInFiles(Interest interest, DescriptorRing ring, Replay replay);

    /**
     * Ends the cursor of one feed of a subscription, if there is one.
     *
     * @param feed    number of it.
     * @param inFiles whether it reads files.
     * @return false when there is no room for the command now.
     */
    boolean stop(long feed, boolean inFiles);

    /**
     * Sets the rate of the cursor of one feed of a subscription, if there is one.
     *
     * @param feed    number of it.
     * @param inFiles whether it reads files.
     * @param rate    from now on.
     * @return false when there is no room for the command now.
     */
    boolean rate(long feed, boolean inFiles, Rate rate);

    /**
     * Makes the cursor of a feed end, if there is one, when it has enqueued everything up to a sequence; it reports its
     * end. It may have enqueued more before it gets this command.
     *
     * @param feed       number of it.
     * @param inFiles    whether it reads files.
     * @param toSequence of the last record that may be wanted.
     * @return false when there is no room for the command now.
     */
    boolean end(long feed, boolean inFiles, long toSequence);

    /**
     * Ends all cursors over files that write to a ring. Nobody reads the ring or its pages any more.
     *
     * @param ring of a client that has disconnected.
     * @return false when there is no room for the command now.
     */
    boolean forget(DescriptorRing ring);

    /**
     * Gives a page back.
     *
     * @param id of the page, everything in which was sent.
     */
    void giveBack(int id);

    /**
     * The pages of files.
     *
     * @return to read from and to give back.
     */
    LogPages pages();
}
