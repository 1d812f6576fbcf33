package io.penstock.spring.listener;

/** How a container is. */
public enum ContainerState {
    /** It was not started, or was stopped. */
    STOPPED,
    /** It has no subscription now, and tries to get one: the broker is away, or has ended the one before. */
    SUBSCRIBING,
    /** It has a subscription. */
    RUNNING,
    /** All messages have come up to the end of its subscription. */
    COMPLETED
}
