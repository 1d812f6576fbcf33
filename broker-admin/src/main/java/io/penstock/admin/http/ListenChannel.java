package io.penstock.admin.http;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;

/** Listens, and goes on whatever fails when a connection is taken. Confined to the server's thread. */
final class ListenChannel extends NioServerSocketChannel {
    /** Unlike Netty's, logs nothing: loggers may fail as well, and then the thread ends. */
    @Override
    protected int doReadMessages(final List<Object> accepted) throws Exception {
        final SocketChannel socket = javaChannel().accept();
        if (socket == null) {
            return 0;
        }
        try {
            accepted.add(new NioSocketChannel(this, socket));
            return 1;
        } catch (final RuntimeException | Error e) {
            close(socket, e);
            throw e;
        }
    }

    private static void close(final SocketChannel socket, final Throwable reason) {
        try {
            socket.close();
        } catch (final IOException e) {
            reason.addSuppressed(e);
        }
    }

    @Override
    protected boolean closeOnReadError(final Throwable cause) {
        return !isActive();
    }
}
