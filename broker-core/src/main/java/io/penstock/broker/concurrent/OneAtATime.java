package io.penstock.broker.concurrent;

import java.util.concurrent.Executor;

/**
 * Runs tasks on the calling threads, one after the other. For rare tasks, and never on the path of a message: other
 * callers wait meanwhile.
 */
public final class OneAtATime implements Executor {
    @Override
    public synchronized void execute(final Runnable command) {
        command.run();
    }
}
