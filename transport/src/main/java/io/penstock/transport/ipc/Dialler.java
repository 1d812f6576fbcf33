package io.penstock.transport.ipc;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;
import org.agrona.concurrent.NanoClock;

/** The connecting side's way in. */
final class Dialler {
    private static final long RETRY_NS = 1_000_000L;

    private final NanoClock clock;
    private final long timeoutNs;

    /**
     * A way in that was found.
     *
     * @param channel does not block; the listener has yet to take what is in it.
     * @param file    made whole.
     * @param path    of the file, until the listener has it.
     */
    record Call(SocketChannel channel, RingFile file, Path path) {
        /** Leaves nothing of it. */
        void close() throws IOException {
            try (channel;
                    file) {
                Files.deleteIfExists(path);
            }
        }
    }

    Dialler(final NanoClock clock, final long timeoutNs) {
        this.clock = clock;
        this.timeoutNs = timeoutNs;
    }

    Call dial(final IpcEndpoint endpoint) throws IOException {
        final SocketChannel channel = open(IpcDirectory.doorOf(endpoint));
        try {
            final long id = UUID.randomUUID().getMostSignificantBits();
            final Path path = IpcDirectory.ringsOf(endpoint.directory(), id);
            Hello.sendName(channel, id);
            final RingFile file = RingFile.make(
                    path,
                    endpoint.ringLength(),
                    endpoint.access(),
                    channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user());
            try {
                Hello.sendWhole(channel);
            } catch (final IOException ex) {
                file.close();
                Files.deleteIfExists(path);
                throw ex;
            }
            return new Call(channel, file, path);
        } catch (final IOException ex) {
            channel.close();
            throw ex;
        }
    }

    /** Waits only while the listener's backlog is full. */
    private SocketChannel open(final UnixDomainSocketAddress door) throws IOException {
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        do {
            final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.configureBlocking(false);
                if (channel.connect(door)) {
                    return channel;
                }
            } catch (final ConnectException ex) {
                channel.close();
                throw new IOException("nobody listens there (start the listener first)", ex);
            } catch (final SocketException ex) {
                channel.close();
                throw new IOException("nobody listens there: " + ex.getMessage() + " (start the listener first)", ex);
            }
            channel.close();
            LockSupport.parkNanos(this, RETRY_NS);
        } while (clock.nanoTime() - deadlineNs < 0);
        throw new IOException("too many wait to be let in: " + IpcDirectory.BACKLOG_LENGTH + " (try again later)");
    }
}
