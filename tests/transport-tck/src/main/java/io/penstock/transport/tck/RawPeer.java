package io.penstock.transport.tck;

import java.io.IOException;

/** A peer below the framing, for media where anybody can send any bytes. Its methods may block for a short time. */
public interface RawPeer extends AutoCloseable {
    /**
     * Sends bytes as they are.
     *
     * @param bytes to send.
     * @throws IOException when the other side has disconnected.
     */
    void write(byte[] bytes) throws IOException;

    /**
     * Sends a frame as the medium frames it.
     *
     * @param frame its bytes.
     * @throws IOException when the other side has disconnected.
     */
    void writeFrame(byte[] frame) throws IOException;

    /**
     * Ends this direction and leaves the other one open.
     *
     * @throws IOException when the other side has disconnected.
     */
    void endOutput() throws IOException;

    /**
     * Disappears without a word, as a process does that is killed.
     *
     * @throws IOException when that cannot be done.
     */
    void abort() throws IOException;

    @Override
    void close() throws IOException;
}
