package io.penstock.client.sink;

/** Internal: the state of the client that writers of blocks need. Safe on any thread. */
public interface ClientGate {
    /** Internal: called before something is posted; {@link #checkOpen()} must follow, and one of those that end it. */
    void beginPost();

    /** Internal: ends a post that was refused. */
    void endPost();

    /** Internal: ends a post, and has the client's thread look for it. */
    void onPosted();

    /** Internal: throws when the client takes nothing any more. */
    void checkOpen();

    /** Internal: has the client's thread look at what has changed. */
    void wakeup();

    /** Internal: whether the calling thread is the client's own. */
    boolean isAgentThread();
}
