package io.penstock.broker.session.client;

import org.agrona.collections.LongArrayList;

/**
 * A query for rows, whose records are to be deleted, or to be looked at anew. Confined to one I/O agent.
 *
 * @param commandId of the delete; 0 for none.
 * @param ackTypes  that it asks for.
 * @param topic     of the records.
 * @param filter    that they match, in canonical form.
 * @param found     rows, each with the version that was found.
 */
public record DeleteQuery(long commandId, int ackTypes, String topic, String filter, LongArrayList found) {}
