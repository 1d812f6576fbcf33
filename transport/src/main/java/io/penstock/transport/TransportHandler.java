package io.penstock.transport;

import org.agrona.DirectBuffer;

/**
 * The events that a transport reports to the agent that owns it. Called on that agent's thread, never blocks.
 *
 * <p>A handler may offer, close any connection, connect, and close the transport; it may not poll or wait.
 */
public interface TransportHandler {
    /**
     * A connection was accepted, or a connect succeeded.
     *
     * @param connection new connection.
     */
    void onConnect(Connection connection);

    /**
     * A whole frame, or the next part of one. The fragments of a frame come in order, with no other frame of that
     * connection between them. It is whole when {@code length == frameLength}, and complete when
     * {@code frameOffset + length == frameLength}.
     *
     * <p>However the medium has cut it, the start of a frame comes together: a frame of up to {@link
     * TransportContext#FRAGMENT_LENGTH_MIN} bytes whole, and of a longer one exactly so many bytes in its first
     * fragment. So what a protocol has in the first {@code FRAGMENT_LENGTH_MIN} bytes of a frame can be read when the
     * first fragment is there, and nothing is kept for a frame before. Later fragments may be of any length from 1 on.
     *
     * @param connection  it came on.
     * @param buffer      holding the bytes, valid until this method returns.
     * @param offset      of the first byte in the buffer.
     * @param length      of this fragment in bytes, at most {@link TransportContext#FRAGMENT_LENGTH_MIN}; 0 only for
     *                    an empty frame.
     * @param frameOffset of this fragment in its frame.
     * @param frameLength of the whole frame in bytes, at most {@link TransportContext#frameLengthMax()}.
     * @return true when taken. False when there is no room: the transport stops reading this connection and offers the
     *     same fragment again on later polls until it is taken, and the medium pushes back on the peer.
     */
    boolean onFragment(
            Connection connection, DirectBuffer buffer, int offset, int length, int frameOffset, int frameLength);

    /**
     * The connection has ended: closed by the peer, broken, or closed by the transport for a protocol error. Not called
     * for a connection that its owner closed.
     *
     * @param connection which is closed already; a frame it was in the middle of is never completed.
     * @param reason     why, for people.
     */
    void onDisconnect(Connection connection, String reason);

    /**
     * A peer was refused before it had a connection: there are too many, or it breaks the medium's rules.
     *
     * @param peer   who it is, for people, as {@link Connection#peer()} would say.
     * @param reason why, for people.
     */
    default void onRefused(final String peer, final String reason) {}
}
