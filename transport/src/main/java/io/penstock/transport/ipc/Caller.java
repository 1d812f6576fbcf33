package io.penstock.transport.ipc;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** Somebody who has connected to the socket and has not said yet where its file is. */
final class Caller {
    private final Hello hello = new Hello();
    private final SocketChannel channel;
    private final long deadlineNs;

    Caller(final SocketChannel channel, final long deadlineNs) {
        this.channel = channel;
        this.deadlineNs = deadlineNs;
    }

    void read() {
        hello.read(channel);
    }

    /** What it said is for the listener to look at; the key is the connection's, if it becomes one. */
    static void onReady(final SelectionKey key, final Caller caller) {
        caller.read();
        if (caller.isDecided()) {
            key.interestOps(0);
        }
    }

    private boolean isDecided() {
        return hello.isWhole() || hello.isFailed();
    }

    Hello hello() {
        return hello;
    }

    SocketChannel channel() {
        return channel;
    }

    /** Whether it is time to look at it: it has said all, or has gone, or took too long. */
    boolean isDue(final long nowNs) {
        return isDecided() || nowNs - deadlineNs >= 0;
    }

    void close() throws IOException {
        channel.close();
    }
}
