package io.penstock.broker.agent;

import org.agrona.concurrent.Agent;

/**
 * Goes on after an {@link Error} in one turn as after an exception: otherwise its thread would end, and with it all that
 * is served by it, for example because one class could not be loaded while there were too many open files.
 */
final class EnduringAgent implements Agent {
    private final Agent agent;

    EnduringAgent(final Agent agent) {
        this.agent = agent;
    }

    @Override
    public void onStart() {
        agent.onStart();
    }

    @Override
    public int doWork() throws Exception {
        try {
            return agent.doWork();
        } catch (final Error e) {
            throw new IllegalStateException("agent " + agent.roleName() + ": " + e, e);
        }
    }

    @Override
    public void onClose() {
        agent.onClose();
    }

    @Override
    public String roleName() {
        return agent.roleName();
    }
}
