package io.penstock.broker.security;

/** Decides what a client may do. Called by I/O agents; must be thread-safe and must not block. */
@FunctionalInterface
public interface Authorizer {
    /** Everyone may do everything: for brokers that only this machine can reach. */
    Authorizer ALL = (principal, action, topic) -> true;

    /**
     * Checks one action.
     *
     * @param principal who asks.
     * @param action    what is asked.
     * @param topic     it is about: a name, never a pattern unless the action says so; empty when about none.
     * @return true to let it happen.
     */
    boolean isAllowed(Principal principal, Action action, String topic);
}
