package io.penstock.broker;

/** Which threads run the broker's agents. */
public enum ThreadingMode {
    /** None: the caller drives every agent with {@code Broker.invoke()}. For tests and simulation. */
    INVOKER,
    /** One thread runs all agents. The default on machines with fewer than 8 cores. */
    SHARED,
    /** One thread for each agent: I/O agents, the sequencer of each shard, the replayer. */
    DEDICATED
}
