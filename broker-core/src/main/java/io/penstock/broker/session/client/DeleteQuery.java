package io.penstock.broker.session.client;

import io.penstock.broker.shard.store.FoundVersions;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A query for rows, whose records are to be deleted, or to be looked at anew. Confined to one I/O agent.
 *
 * @param commandId of the delete; 0 for none.
 * @param ackTypes  that it asks for.
 * @param topic     of the records.
 * @param filter    that they match, in canonical form.
 * @param rows      that are to be looked at anew; null when records are to be deleted.
 * @param found     versions whose records are to be deleted; null when rows are to be looked at.
 */
public record DeleteQuery(
        long commandId,
        int ackTypes,
        String topic,
        String filter,
        @Nullable IntArrayList rows,
        @Nullable FoundVersions found) {}
