package io.penstock.broker.agent;

import io.penstock.broker.concurrent.Waker;

/** Where agents without a transport wait when they have a thread of their own. */
final class EngineWakers {
    final Waker[] sequencers;
    final Waker replayer = new Waker();
    final Waker journaler = new Waker();
    final Waker keeper = new Waker();
    final Waker fileReplayer = new Waker();
    final Waker historian = new Waker();
    final Waker sinks = new Waker();
    final Waker[] queryAgents;

    EngineWakers(final int shardCount, final int queryAgentCount) {
        queryAgents = new Waker[queryAgentCount];
        for (int i = 0; i < queryAgentCount; i++) {
            queryAgents[i] = new Waker();
        }
        sequencers = new Waker[shardCount];
        for (int i = 0; i < shardCount; i++) {
            sequencers[i] = new Waker();
        }
    }
}
