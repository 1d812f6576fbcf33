package io.penstock.transport.ipc;

import io.penstock.transport.ReadyListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a connection. A byte on it means: wake up and look. Its end means that the peer has ended; the system
 * also reports that for a killed process.
 */
final class Bell implements ReadyListener {
    private static final int READ_LENGTH = 64;

    private final ByteBuffer stroke = ByteBuffer.allocateDirect(1);
    private final ByteBuffer heard = ByteBuffer.allocateDirect(READ_LENGTH);
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ErrorHandler errorHandler;

    /** The file of a connector, in case that nobody takes it. */
    private final @Nullable Path made;

    private boolean isPeerGone;

    /** On a channel that is registered; the key notifies this from here on. */
    Bell(
            final SocketChannel channel,
            final SelectionKey key,
            final @Nullable Path made,
            final ErrorHandler errorHandler) {
        this.channel = channel;
        this.key = key;
        this.made = made;
        this.errorHandler = errorHandler;
        key.attach(this);
        key.interestOps(SelectionKey.OP_READ);
    }

    /** Wakes the peer. When its socket is full it has been rung often enough. */
    void ring() {
        stroke.clear();
        try {
            channel.write(stroke);
        } catch (final IOException ignored) {
            isPeerGone = true;
        }
    }

    /** Only notes what the socket says. */
    @Override
    public void onReady(final boolean isReadable, final boolean isWritable) {
        heard.clear();
        try {
            isPeerGone |= channel.read(heard) < 0;
        } catch (final IOException ignored) {
            isPeerGone = true;
        }
        if (isPeerGone) {
            key.cancel();
        }
    }

    boolean isPeerGone() {
        return isPeerGone;
    }

    void close() {
        try (channel) {
            if (isPeerGone) {
                if (made != null) {
                    Files.deleteIfExists(made);
                }
            } else {
                // The descriptor itself is closed by the selector's next turn.
                channel.shutdownOutput();
            }
        } catch (final IOException ex) {
            errorHandler.onError(ex);
        }
    }
}
