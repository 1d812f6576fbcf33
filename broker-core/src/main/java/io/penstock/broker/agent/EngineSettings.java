package io.penstock.broker.agent;

import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.session.client.SessionSettings;
import io.penstock.broker.shard.log.WindowSettings;
import io.penstock.broker.shard.store.StateSettings;
import java.util.List;

/**
 * How many agents a broker has, and their bounds.
 *
 * @param dedicated         whether sequencers run on threads of their own.
 * @param ioAgentCount      I/O agents.
 * @param shardCount        shards.
 * @param journaledCount    how many of them, from the first, are written to files.
 * @param journal           how they are.
 * @param inboxLength       of each sequencer's ring, in bytes; used when dedicated.
 * @param window            of each shard.
 * @param topicCountMax     of each shard.
 * @param publisherCountMax of each shard.
 * @param state             of each shard, and queries of it.
 * @param sessions          of each I/O agent.
 */
public record EngineSettings(
        boolean dedicated,
        int ioAgentCount,
        int shardCount,
        int journaledCount,
        JournalSettings journal,
        int inboxLength,
        WindowSettings window,
        int topicCountMax,
        int publisherCountMax,
        StateSettings state,
        List<SessionSettings> sessions) {
    public EngineSettings {
        sessions = List.copyOf(sessions);
    }
}
