package io.penstock.broker.agent;

import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.IdleStrategy;

/** Blocks where the agent says as soon as a duty cycle found no work, but not any more while the broker closes. */
final class AwaitIdleStrategy implements IdleStrategy {
    private final Runnable await;
    private final AtomicBoolean closing;

    AwaitIdleStrategy(final Runnable await, final AtomicBoolean closing) {
        this.await = await;
        this.closing = closing;
    }

    @Override
    public void idle(final int workCount) {
        if (workCount <= 0) {
            idle();
        }
    }

    @Override
    public void idle() {
        if (!closing.get()) {
            await.run();
        }
    }

    @Override
    public void reset() {}

    @Override
    public String alias() {
        return "await";
    }
}
