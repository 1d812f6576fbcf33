package io.penstock.transport.tcp;

/** Told by a {@link SocketLoop}; only notes what it is told. */
interface ReadyListener {
    /**
     * The socket is ready.
     *
     * @param isReadable there is something to read or to accept, the end of the stream or an error included.
     * @param isWritable there is room to write.
     */
    void onReady(boolean isReadable, boolean isWritable);
}
