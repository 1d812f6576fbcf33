package io.penstock.broker.agent;

import io.penstock.broker.concurrent.Waker;

/** Where agents without a transport wait when they have a thread of their own. */
final class EngineWakers {
    final Waker[] sequencers;
    final Waker replayer = new Waker();

    EngineWakers(final int shardCount) {
        sequencers = new Waker[shardCount];
        for (int i = 0; i < shardCount; i++) {
            sequencers[i] = new Waker();
        }
    }
}
