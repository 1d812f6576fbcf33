package io.penstock.client;

/**
 * An acknowledgement of a publish by the broker.
 *
 * @param type              how far the publish has come.
 * @param publisherSequence of the publish, 0 when it had none.
 * @param isDuplicate       whether the broker has dropped it, since it had applied its sequence, or a higher one, before:
 *                          the message was sent again, or somebody has used this client's name and its sequences.
 */
public record Ack(AckType type, long publisherSequence, boolean isDuplicate) {}
