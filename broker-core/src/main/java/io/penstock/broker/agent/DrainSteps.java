package io.penstock.broker.agent;

import java.util.concurrent.atomic.AtomicInteger;

/** How far an agent has to be drained, and is: asked for by the thread that owns the broker, done by the agent. */
final class DrainSteps {
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();

    /** Asks for a step, once the one before is done. Returns false when that was asked for before. */
    boolean ask(final int step) {
        if (asked.get() >= step) {
            return false;
        }
        asked.set(step);
        return true;
    }

    /** The step that the agent is to do now; 0 for none. */
    int due() {
        final int step = asked.getOpaque();
        return step > done.getPlain() ? step : 0;
    }

    void onDone(final int step) {
        done.set(step);
    }

    /** Whether a step is done. Called from any thread. */
    boolean isDone(final int step) {
        return done.get() >= step;
    }
}
