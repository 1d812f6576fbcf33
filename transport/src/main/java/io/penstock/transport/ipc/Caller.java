package io.penstock.transport.ipc;

import io.penstock.transport.ReadyListener;
import io.penstock.transport.SelectorLoop;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/** A peer that has connected to the socket and has not sent the place of its file yet. */
final class Caller implements ReadyListener {
    private final Hello hello = new Hello();
    private final SocketChannel channel;
    private final SelectionKey key;
    private final UserPrincipal user;
    private final long deadlineNs;

    private Caller(
            final SocketChannel channel, final SelectionKey key, final UserPrincipal user, final long deadlineNs) {
        this.channel = channel;
        this.key = key;
        this.user = user;
        this.deadlineNs = deadlineNs;
        key.attach(this);
        hello.read(channel);
        key.interestOps(isDecided() ? 0 : SelectionKey.OP_READ);
    }

    /** A peer that was let in just now; the channel is closed when that fails. */
    static Caller of(final SocketChannel channel, final SelectorLoop loop, final long deadlineNs) throws IOException {
        try {
            channel.configureBlocking(false);
            final UserPrincipal user =
                    channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            return new Caller(channel, loop.register(channel, 0, null), user, deadlineNs);
        } catch (final IOException ex) {
            channel.close();
            throw ex;
        }
    }

    /** The listener looks at what it has sent; the key is the connection's, if it becomes one. */
    @Override
    public void onReady(final boolean isReadable, final boolean isWritable) {
        hello.read(channel);
        if (isDecided()) {
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

    SelectionKey key() {
        return key;
    }

    /** The user of the process, as the system reports it. */
    UserPrincipal user() {
        return user;
    }

    /** Whether it is time to look at it: it has sent everything, has disconnected, or took too long. */
    boolean isDue(final long nowNs) {
        return isDecided() || nowNs - deadlineNs >= 0;
    }

    void close() throws IOException {
        channel.close();
    }
}
