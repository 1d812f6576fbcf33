package io.penstock.client;

/**
 * An acknowledgement of a publish by the broker.
 *
 * @param type              how far the publish has come.
 * @param publisherSequence of the publish, 0 when it had none.
 */
public record Ack(AckType type, long publisherSequence) {}
