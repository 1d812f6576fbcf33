package io.penstock.broker;

/** What an agent does when there is no work. */
public enum IdleMode {
    /** Blocks until there is work: no CPU at rest, a wake-up's latency on the first message. */
    BLOCKING,
    /** Spins a little, then lets others run, then sleeps for up to a millisecond: no system call to wake anybody. */
    BACK_OFF,
    /** Spins: the lowest latency, one core for each agent's thread. */
    BUSY
}
