package io.penstock.broker.agent;

import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.shard.log.WindowSettings;
import io.penstock.broker.shard.store.StateSettings;

/**
 * How many shards a broker has, and the bounds of each.
 *
 * @param count             of all shards.
 * @param journaledCount    how many of them, from the first, are written to files.
 * @param journal           how they are.
 * @param inboxLength       of each sequencer's ring, in bytes; used when sequencers run on threads of their own.
 * @param window            of each.
 * @param topicCountMax     of each.
 * @param publisherCountMax of each.
 * @param state             of each, and queries of it.
 */
public record ShardSettings(
        int count,
        int journaledCount,
        JournalSettings journal,
        int inboxLength,
        WindowSettings window,
        int topicCountMax,
        int publisherCountMax,
        StateSettings state) {}
