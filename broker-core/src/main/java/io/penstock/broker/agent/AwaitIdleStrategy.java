package io.penstock.broker.agent;

import org.agrona.concurrent.IdleStrategy;

/** Blocks where the agent says as soon as a duty cycle found no work. */
final class AwaitIdleStrategy implements IdleStrategy {
    private final Runnable await;

    AwaitIdleStrategy(final Runnable await) {
        this.await = await;
    }

    @Override
    public void idle(final int workCount) {
        if (workCount <= 0) {
            await.run();
        }
    }

    @Override
    public void idle() {
        await.run();
    }

    @Override
    public void reset() {}

    @Override
    public String alias() {
        return "await";
    }
}
