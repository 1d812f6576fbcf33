package io.penstock.broker.monitor;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one client on their way from its I/O agent to one who reads them. Bounded: what finds no room is
 * counted, and the client is not slowed down.
 */
public final class ClientTrace {
    /** Commands that wait to be read, at most. */
    public static final int LENGTH = 1024;

    private final OneToOneConcurrentArrayQueue<TracedCommand> commands = new OneToOneConcurrentArrayQueue<>(LENGTH);
    private final AtomicLong lost = new AtomicLong();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicBoolean isEnded = new AtomicBoolean();

    /** The client has sent a command. Called by its I/O agent. */
    public void offer(final TracedCommand command) {
        if (!commands.offer(command)) {
            lost.incrementAndGet();
        }
    }

    /** The next command, or null. Called by the reader. */
    public @Nullable TracedCommand poll() {
        return commands.poll();
    }

    /** How many commands found no room since the last call. */
    public long takeLost() {
        return lost.getAndSet(0);
    }

    /** Nobody reads it any more. Any thread. */
    public void close() {
        isClosed.set(true);
    }

    /** Whether nobody reads it any more. */
    public boolean isClosed() {
        return isClosed.get();
    }

    /** The client has gone. Called by its I/O agent. */
    public void end() {
        isEnded.set(true);
    }

    /** Whether the client has gone; what it sent before may still be read. */
    public boolean isEnded() {
        return isEnded.get();
    }
}
