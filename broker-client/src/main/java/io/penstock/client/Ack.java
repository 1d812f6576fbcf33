package io.penstock.client;

/**
 * An acknowledgement by the broker.
 *
 * @param type              how far the command has come.
 * @param commandId         of the command on its connection.
 * @param publisherSequence of the publish, 0 when it had none and for other commands.
 */
public record Ack(AckType type, long commandId, long publisherSequence) {}
