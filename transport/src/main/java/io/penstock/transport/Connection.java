package io.penstock.transport;

import java.io.IOException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A medium between two peers, confined to the agent that owns its transport. */
public interface Connection {
    /**
     * Returned by {@link #offer} when there is no room now; the offer changed nothing and may be repeated later. A
     * later {@link Transport#await} ends when there is room again.
     */
    long BACK_PRESSURED = -1;

    /**
     * Returned by {@link #offer} when the connection is closed for good, or when the peer is seen to take nothing any
     * more; in that case {@link TransportHandler#onDisconnect} follows.
     */
    long CLOSED = -2;

    /**
     * A number that no other connection of this transport ever has.
     *
     * @return the id.
     */
    long id();

    /**
     * The peer, for people and logs.
     *
     * @return for example {@code tcp://127.0.0.1:40112}.
     */
    String peer();

    /**
     * Whether the medium reaches only processes of this machine, as the broker's default security asks.
     *
     * @return true for loopback, shared memory and in-process connections.
     */
    boolean isLocal();

    /**
     * Whether what is sent reaches nobody but this process, or one that the medium knows to run as the same user: a process of
     * another user cannot listen in its place, as it can on loopback.
     *
     * @return true for in-process connections, and for shared memory that only its user may enter.
     */
    default boolean isPrivate() {
        return false;
    }

    /**
     * What the medium proves about the peer. The same as long as the connection lives.
     *
     * @return {@link PeerIdentity#UNKNOWN} for media that prove nothing.
     */
    default PeerIdentity peerIdentity() {
        return PeerIdentity.UNKNOWN;
    }

    /**
     * The most bytes that one {@link #offer} takes (header and body together), and the unit this medium likes best.
     *
     * @return bytes, at least {@link TransportContext#FRAGMENT_LENGTH_MIN}.
     */
    int bestSendLength();

    /**
     * Offers a frame, or the next part of one, of at most {@link #bestSendLength()} bytes. All of it is taken, or
     * nothing. The first part holds the whole frame, or at least its first {@link
     * TransportContext#FRAGMENT_LENGTH_MIN} bytes; where the rest is cut is up to the caller.
     *
     * <p>The header's bytes are free again on return. The body's bytes must stay as they are until
     * {@link #completedPosition()} has reached the returned position.
     *
     * @param header       bytes that come first.
     * @param headerOffset of the first one.
     * @param headerLength may be 0.
     * @param body         bytes that follow, may lie in the log.
     * @param bodyOffset   of the first one.
     * @param bodyLength   may be 0.
     * @param remaining    bytes of this same frame that later offers will bring; 0 for the last or only part. Only the
     *                     first part's value is believed for the frame's length; later ones are asserted.
     * @return the position after this part, in bytes of frames since the connection was made, or {@link
     *     #BACK_PRESSURED}, or {@link #CLOSED}.
     * @throws IllegalArgumentException when the part is longer than {@link #bestSendLength()}, or the first one and
     *     shorter than said above, or empty though more is to come, or the frame longer than 2 GiB. A frame longer than
     *     the peer allows costs the connection.
     */
    long offer(
            DirectBuffer header,
            int headerOffset,
            int headerLength,
            DirectBuffer body,
            int bodyOffset,
            int bodyLength,
            int remaining);

    /**
     * Whether offers are known to be refused now. To be asked before work that only a part needs which is taken; a later {@link
     * Transport#await} ends when there is room again, as after an offer.
     *
     * @return true only when {@link #offer} was or would be answered by {@link #BACK_PRESSURED} and there has been no room since;
     *     false when it is not known.
     */
    default boolean isBlocked() {
        return false;
    }

    /**
     * The watermark of completion: bodies offered up to it are sent and no longer needed.
     *
     * @return a position as returned by {@link #offer}.
     */
    long completedPosition();

    /**
     * Whether everything that was offered has been handed to the medium.
     *
     * @return true when nothing waits in this connection's own buffers.
     */
    boolean isFlushed();

    /**
     * Whether the connection has ended.
     *
     * @return true after {@link #close()} and after {@link TransportHandler#onDisconnect}.
     */
    boolean isClosed();

    /**
     * Makes memory that the peer of this connection can pull from, where the medium has such a thing.
     *
     * @param length in bytes, above 0.
     * @return the memory, which the caller closes; null when this medium has none.
     * @throws IOException when there is no room for it; the message says where, and the remedy.
     */
    default @Nullable LentMemory lendMemory(final int length) throws IOException {
        return null;
    }

    /**
     * Finds memory that the peer has lent for this connection.
     *
     * @param key    as the peer has sent it; not trusted.
     * @param length as the peer has sent it; checked.
     * @return the memory, which the caller closes; null when this medium has none.
     * @throws IOException when there is none with this key and length; the message says why.
     */
    default @Nullable RemoteMemory remoteMemory(final String key, final long length) throws IOException {
        return null;
    }

    /**
     * Sends what was offered as far as the medium takes it at once, then closes. Nothing more is delivered from this
     * connection, not even {@link TransportHandler#onDisconnect}. When it returns the medium needs none of the bodies
     * any more that were offered. Idempotent.
     */
    void close();
}
