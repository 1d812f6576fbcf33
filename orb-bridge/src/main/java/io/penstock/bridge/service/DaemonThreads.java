package io.penstock.bridge.service;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names threads, and lets a program end that has only them left. */
final class DaemonThreads implements ThreadFactory {
    private final AtomicInteger count = new AtomicInteger();
    private final String name;

    DaemonThreads(final String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(final Runnable work) {
        final Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
