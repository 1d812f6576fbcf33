package io.penstock.broker.session;

/**
 * What one client may use up of what is kept for all.
 *
 * @param publisherSequenceGapMax how far the sequence of a message may be above the highest before it.
 */
public record QuotaSettings(long publisherSequenceGapMax) {}
