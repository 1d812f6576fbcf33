package io.penstock.bridge.giop;

/** Is given what a connection receives, by the thread that reads. */
public interface MessageSink {
    /**
     * A message has come, with all its fragments.
     *
     * @param header of its first part; its length is that part's.
     * @param body   what follows the header; valid until this returns.
     * @param length of all that follows the header, in bytes.
     * @throws ProtocolException when the connection is to end.
     */
    void onMessage(MessageHeader header, CdrReader body, long length) throws ProtocolException;

    /**
     * A message has come that was too long, or for which there was no room. It was read past.
     *
     * @param header of its first part.
     * @param begin  the begin of what follows the header; valid until this returns.
     * @param reason why.
     * @throws ProtocolException when the connection is to end.
     */
    void onRefused(MessageHeader header, CdrReader begin, Refusal reason) throws ProtocolException;

    /**
     * Bytes were copied that will be copied once more, since they came in small pieces.
     *
     * @param length in bytes.
     */
    void onStaged(int length);

    /**
     * Whether to stop before the next message, or the next part of one.
     *
     * @return true when there is no room for another; asked before each part of a message that comes in parts, too.
     */
    default boolean isFull() {
        return false;
    }

    /** Why a message was not kept. */
    enum Refusal {
        /** It is longer than a message may be. */
        TOO_LONG,
        /** Too much has come in part, of this connection or of all. */
        NO_ROOM
    }
}
