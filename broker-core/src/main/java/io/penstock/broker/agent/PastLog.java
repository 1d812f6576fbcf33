package io.penstock.broker.agent;

import io.penstock.broker.journal.JournalFiles;

/**
 * A shard's files, and how far they were written.
 *
 * @param files    of the shard.
 * @param counters of the shard, that say so.
 */
record PastLog(JournalFiles files, ShardCounters counters) {}
