package io.penstock.broker.agent;

/** What the threads of agents do without work. */
public enum Idling {
    BLOCKING,
    BACK_OFF,
    BUSY
}
