package io.penstock.broker.agent;

import io.penstock.broker.session.client.SessionSettings;
import java.util.List;

/**
 * How many agents a broker has, and their bounds.
 *
 * @param dedicated    whether sequencers run on threads of their own.
 * @param ioAgentCount I/O agents.
 * @param shards       how many there are, and the bounds of each.
 * @param sessions     of each I/O agent.
 */
public record EngineSettings(
        boolean dedicated, int ioAgentCount, ShardSettings shards, List<SessionSettings> sessions) {
    public EngineSettings {
        sessions = List.copyOf(sessions);
    }
}
