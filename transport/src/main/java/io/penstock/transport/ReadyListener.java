package io.penstock.transport;

/** Called by the loop that waits for a channel or socket; only notes the event. */
public interface ReadyListener {
    /**
     * The channel or socket is ready.
     *
     * @param isReadable there is something to read or to accept, the end of the stream or an error included.
     * @param isWritable there is room to write.
     */
    void onReady(boolean isReadable, boolean isWritable);
}
