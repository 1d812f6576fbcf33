package io.penstock.transport.rsocket;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.transport.WakeupFlag;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Readiness from the library's own poll. It looks at all sockets in user space; to wait it arms their completion
 * channels and blocks in the kernel on those, on a descriptor by which others wake it, and on a timer.
 */
final class RsocketLoop implements SocketLoop {
    private static final int EINTR = 4;

    private final WakeupFlag wakeupFlag = new WakeupFlag();
    private final NativeAccess access;
    private final RsocketCalls calls;
    private final PollTable table;
    private final int signal;
    private final int timer;

    RsocketLoop(final NativeAccess access, final RsocketCalls calls) throws IOException {
        this.access = access;
        this.calls = calls;
        signal = opened(access.signalOpen());
        final int timerOrError = access.timerOpen();
        if (timerOrError < 0) {
            access.descriptorClose(signal);
        }
        timer = opened(timerOrError);
        table = new PollTable(signal, timer);
    }

    private int opened(final int fd) throws IOException {
        if (fd < 0) {
            throw new IOException("rsocket: cannot make a descriptor to wait on: " + NativeErrors.text(access, fd)
                    + " (raise the limit of open files)");
        }
        return fd;
    }

    RsocketCalls calls() {
        return calls;
    }

    PollTable table() {
        return table;
    }

    @Override
    public ListenSocket listen(final InetSocketAddress address) throws IOException {
        final int fd = calls.open(address);
        try {
            calls.listen(fd, address, BACKLOG_LENGTH);
        } catch (final IOException ex) {
            calls.close(fd);
            throw ex;
        }
        return new RsocketListenSocket(this, fd);
    }

    @Override
    public StreamSocket connect(final InetSocketAddress address) throws IOException {
        final int fd = calls.open(address);
        try {
            final boolean isConnected = calls.connect(fd, address);
            return new RsocketStreamSocket(this, fd, !isConnected);
        } catch (final IOException ex) {
            calls.close(fd);
            throw ex;
        }
    }

    @Override
    public void poll() throws IOException {
        // Without the descriptors to wait on, each of which would be a system call.
        report(access.rsocketPoll(table.socketsAddress(), table.socketCount(), 0));
    }

    @Override
    public void await(final long timeoutNs) throws IOException {
        if (timeoutNs > 0 && wakeupFlag.beginWait()) {
            access.timerSet(timer, timeoutNs);
            final int readyCount = access.rsocketPoll(table.address(), table.count(), 1);
            if (readyCount > 0 && table.isWoken()) {
                access.signalClear(signal);
            }
            report(readyCount);
        }
        wakeupFlag.endWait();
    }

    private void report(final int readyCount) throws IOException {
        if (readyCount > 0) {
            table.report();
        } else if (readyCount < 0 && readyCount != -EINTR) {
            throw new IOException("rsocket: cannot poll: " + NativeErrors.text(access, readyCount));
        }
    }

    @Override
    public void wakeup() {
        if (wakeupFlag.wake()) {
            access.signalSet(signal);
        }
    }

    @Override
    public void close() {
        table.close();
        access.descriptorClose(signal);
        access.descriptorClose(timer);
    }
}
