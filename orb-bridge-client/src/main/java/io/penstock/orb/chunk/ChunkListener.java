package io.penstock.orb.chunk;

/** Notified of what happens on a connection. */
public interface ChunkListener {
    /**
     * There are bytes on a stream that nobody holds. Called by the reading thread; may neither block nor call the
     * connection.
     *
     * @param stream which; the listener is called for it again only after somebody has held it.
     */
    void onBytes(ChunkStream stream);

    /**
     * More memory is wanted for bytes that wait.
     *
     * @param length in bytes; below 0 when it is given back.
     * @return false when there is no more of it; the stream is given up then.
     */
    boolean hold(int length);

    /**
     * More memory is wanted so that a sender need not wait, and can be done without.
     *
     * @param length in bytes; given back as other memory is.
     * @return false when there is none for that.
     */
    boolean holdMore(int length);

    /**
     * Where memory comes from, and goes to when it is used no more.
     *
     * @return always the same; other connections may have it, too.
     */
    SegmentPool segments();

    /** The thread that reads goes on, since what it waits for has not come yet; other bytes may have. */
    void onReadOn();

    /** It is closed, or broken: no stream goes on. Called once. */
    void onEnd();
}
