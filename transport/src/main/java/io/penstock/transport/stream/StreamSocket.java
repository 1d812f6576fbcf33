package io.penstock.transport.stream;

import io.penstock.transport.PeerIdentity;
import io.penstock.transport.ReadyListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;

/** A connected socket. None of its methods blocks. */
public interface StreamSocket extends AutoCloseable {
    int END_OF_STREAM = -1;

    /** Sets the listener that is notified of readiness. */
    void listener(ReadyListener listener);

    /** Returns true when connected; false when the attempt is still under way. */
    boolean finishConnect() throws IOException;

    /** The peer. */
    InetSocketAddress remoteAddress() throws IOException;

    /** This end. */
    InetSocketAddress localAddress() throws IOException;

    /** The file descriptor; negative where it is not known. */
    int descriptor();

    /** Returns the bytes read, 0 when there are none now, or {@link #END_OF_STREAM}. */
    int read(Chunk chunk, int offset, int length) throws IOException;

    /**
     * Whether the last read, though it returned fewer bytes than were asked for, has left some, or the end, of which no
     * readiness tells.
     */
    default boolean hasMore() {
        return false;
    }

    /** What the socket proves about the peer. */
    default PeerIdentity peerIdentity() {
        return PeerIdentity.UNKNOWN;
    }

    /** Returns the bytes taken, 0 when there is no room now. Those that were not are offered again as they are. */
    int write(Chunk chunk, int offset, int length) throws IOException;

    /** Whether {@link #write(Chunk, int, int, DirectBuffer, int, int)} works for this buffer; for none unless a medium can. */
    default boolean canGather(final DirectBuffer body) {
        return false;
    }

    /** Writes from both in one call. Returns the bytes taken. */
    default int write(
            final Chunk chunk,
            final int offset,
            final int length,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Asks to be notified of readiness, or not. */
    void interest(boolean isReading, boolean isWriting);

    /** Ends all notices to it, even those of errors. */
    void deregister();

    @Override
    void close();
}
