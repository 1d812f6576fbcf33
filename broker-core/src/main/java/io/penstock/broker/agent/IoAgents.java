package io.penstock.broker.agent;

import io.penstock.broker.concurrent.IoNotice;
import java.util.ArrayList;
import java.util.List;

/** All I/O agents, as other agents reach them. Filled before they start; any thread from then on. */
final class IoAgents {
    /** The index of a session's I/O agent is in the high bits of its number. */
    private static final int INDEX_SHIFT = 48;

    private final List<IoAgent> agents = new ArrayList<>();

    void add(final IoAgent agent) {
        agents.add(agent);
    }

    List<IoAgent> all() {
        return agents;
    }

    IoAgent get(final int index) {
        return agents.get(index);
    }

    /** Ends the waits of all. */
    void wake() {
        for (int i = 0; i < agents.size(); i++) {
            agents.get(i).wakeup();
        }
    }

    /** The agent of a session. */
    static int indexOf(final long sessionId) {
        return (int) (sessionId >>> INDEX_SHIFT);
    }

    /** Notifies the agent of a session. Returns false when there is no room. */
    boolean offer(final long sessionId, final IoNotice notice) {
        return offer(indexOf(sessionId), notice);
    }

    /** Notifies an agent. Returns false when there is no room. */
    boolean offer(final int index, final IoNotice notice) {
        final IoAgent agent = agents.get(index);
        if (!agent.offer(notice)) {
            return false;
        }
        agent.wakeup();
        return true;
    }

    /** Refuses new work, up to a step of {@link IoAgent}. */
    void requestDrain(final int step) {
        for (final IoAgent agent : agents) {
            agent.requestDrain(step);
        }
    }

    boolean isDrained(final int step) {
        for (final IoAgent agent : agents) {
            if (!agent.isDrained(step)) {
                return false;
            }
        }
        return true;
    }
}
