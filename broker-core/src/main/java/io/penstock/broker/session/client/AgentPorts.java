package io.penstock.broker.session.client;

import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.feed.CursorPort;
import io.penstock.broker.sink.SinkPort;
import java.util.List;

/**
 * The ways of one I/O agent to the agents that execute its clients' commands.
 *
 * @param shards  to the sequencer of each shard, by its number.
 * @param cursors to the replayer and the reader of files.
 * @param queries to the query agents.
 * @param sinks   to the sink agent.
 */
public record AgentPorts(List<ShardPort> shards, CursorPort cursors, QueryPort queries, SinkPort sinks) {}
