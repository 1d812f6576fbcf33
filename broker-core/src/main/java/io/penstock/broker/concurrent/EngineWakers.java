package io.penstock.broker.concurrent;

/** Where agents without a transport wait when they have a thread of their own. */
public final class EngineWakers {
    private final Waker[] sequencers;
    private final Waker replayer = new Waker();
    private final Waker journaler = new Waker();
    private final Waker keeper = new Waker();
    private final Waker fileReplayer = new Waker();
    private final Waker historian = new Waker();
    private final Waker sinks = new Waker();
    private final Waker[] queryAgents;

    public EngineWakers(final int shardCount, final int queryAgentCount) {
        queryAgents = new Waker[queryAgentCount];
        for (int i = 0; i < queryAgentCount; i++) {
            queryAgents[i] = new Waker();
        }
        sequencers = new Waker[shardCount];
        for (int i = 0; i < shardCount; i++) {
            sequencers[i] = new Waker();
        }
    }

    public Waker sinks() {
        return sinks;
    }

    public Waker journaler() {
        return journaler;
    }

    public Waker keeper() {
        return keeper;
    }

    public Waker fileReplayer() {
        return fileReplayer;
    }

    public Waker replayer() {
        return replayer;
    }

    public Waker[] sequencers() {
        return sequencers;
    }

    public Waker[] queryAgents() {
        return queryAgents;
    }

    public Waker historian() {
        return historian;
    }
}
