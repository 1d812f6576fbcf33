package io.penstock.client;

/**
 * An acknowledgement of a publish by the broker.
 *
 * @param type              how far the publish has come.
 * @param publisherSequence of the publish, 0 when it had none.
 * @param isDuplicate       whether the broker has dropped it, since it had applied its sequence, or a higher one, before:
 *                          the message was sent again, or somebody has used this client's name and its sequences.
 * @param bookmark          where the message is in the log, or, when the broker acknowledged several messages together,
 *                          where the newest of them is, in the same shard; {@link Bookmark#NONE} when the message was
 *                          dropped, when thousands followed it before it was acknowledged, and from brokers that speak
 *                          version 1 of the protocol alone.
 */
public record Ack(AckType type, long publisherSequence, boolean isDuplicate, Bookmark bookmark) {
    /**
     * An acknowledgement without a bookmark.
     *
     * @param type              as above.
     * @param publisherSequence as above.
     * @param isDuplicate       as above.
     */
    public Ack(final AckType type, final long publisherSequence, final boolean isDuplicate) {
        this(type, publisherSequence, isDuplicate, Bookmark.NONE);
    }
}
