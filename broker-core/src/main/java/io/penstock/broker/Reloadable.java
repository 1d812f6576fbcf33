package io.penstock.broker;

import java.io.IOException;

/**
 * A part of a broker that takes another configuration, or reads its files again, while the broker runs. Called by {@link
 * Broker#reload}, on the thread of its caller, one at a time.
 */
@FunctionalInterface
public interface Reloadable {
    /**
     * Takes the new, or leaves everything as it is.
     *
     * @param next configuration as it is in effect from now on, without what needs a restart.
     * @return what has changed beside the values of keys, in a few words; empty for nothing.
     * @throws IOException              when a file cannot be read. What was goes on.
     * @throws IllegalArgumentException when something is wrong, with the remedy. What was goes on.
     */
    String reload(BrokerConfig next) throws IOException;
}
