package io.penstock.system.permission;

import org.jspecify.annotations.Nullable;

/** Asks the broker over a transport. Used by one thread. */
interface Caller extends AutoCloseable {
    /** Longest wait for what has to come; {@code -Dpenstock.permissionWaitMs} on a machine that has no time. */
    int WAIT_MS = Integer.getInteger("penstock.permissionWaitMs", 10_000);

    /** How long to look for what must not come, when all that is awaited has. */
    int LOOK_MS = 3;

    /**
     * Asks.
     *
     * @param command  what.
     * @param run      names, the moment, and what others do meanwhile.
     * @param expected how many messages to wait for.
     */
    Outcome ask(Command command, Run run, int expected) throws Exception;

    /** Ends what a user has, so that it logs on again. */
    void forget(User user);

    @Override
    void close();

    /**
     * Around one command.
     *
     * @param prefix of all names.
     * @param mark   bookmark of the moment.
     * @param others make the changes of the command.
     */
    record Run(String prefix, String mark, Runnable others) {
        String absolute(final String name) {
            return prefix + name;
        }

        String pattern(final String relative) {
            return prefix.replace(".", "\\.") + relative;
        }

        /** How a message is compared. */
        String item(final String kind, final @Nullable String topic, final String json) {
            final String name = topic == null ? "" : topic;
            return kind + " " + (name.startsWith(prefix) ? name.substring(prefix.length()) : name) + " "
                    + Sample.canonical(json);
        }
    }
}
