package io.penstock.broker.concurrent;

import java.util.concurrent.Executor;

/**
 * Runs what threads ask for on the thread that asks, one after the other. For what happens seldom, and never on the path of
 * a message: who asks meanwhile waits.
 */
public final class OneAtATime implements Executor {
    @Override
    public synchronized void execute(final Runnable command) {
        command.run();
    }
}
