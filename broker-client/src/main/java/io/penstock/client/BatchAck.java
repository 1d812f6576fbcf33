package io.penstock.client;

/**
 * The acknowledgement of all messages of a batch.
 *
 * @param type           how far each of them has come.
 * @param count          of messages.
 * @param duplicateCount of those that the broker has dropped, since it had applied their publisher sequence before.
 * @param bookmark       where the newest of them is in each shard that has taken any, or a newer message of this client;
 *                       {@link Bookmark#NONE} where that is not known, as in {@link Ack#bookmark()}.
 */
public record BatchAck(AckType type, int count, int duplicateCount, Bookmark bookmark) {}
