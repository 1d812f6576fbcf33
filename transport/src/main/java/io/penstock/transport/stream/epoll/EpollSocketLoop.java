package io.penstock.transport.stream.epoll;

import io.netty.channel.ChannelException;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.Socket;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.penstock.transport.WakeupFlag;
import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.agrona.BufferUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Readiness from Netty's native epoll, driven by the agent that calls: there is no event loop thread and no queue of
 * tasks, and the agent may be moved from one thread to another between two calls.
 */
public final class EpollSocketLoop implements SocketLoop {
    private final WakeupFlag wakeupFlag = new WakeupFlag();
    private final Context context = new Context();
    private final Chunk vector = new Chunk(4 * Long.BYTES);
    private final IoHandler handler;
    private final NanoClock clock;
    private final SocketFactory sockets;

    /**
     * A loop over sockets of the internet.
     *
     * @param clock for waits.
     */
    public EpollSocketLoop(final NanoClock clock) {
        this(clock, EpollSocketLoop::newInternetSocket);
    }

    /**
     * A loop over other sockets that epoll knows.
     *
     * @param clock   for waits.
     * @param sockets makes them.
     * @return the loop.
     */
    public static EpollSocketLoop over(final NanoClock clock, final DescriptorFactory sockets) {
        return new EpollSocketLoop(clock, () -> new Socket(sockets.open()));
    }

    private EpollSocketLoop(final NanoClock clock, final SocketFactory sockets) {
        this.clock = clock;
        this.sockets = sockets;
        this.handler = EpollIoHandler.newFactory().newHandler(new CallerRuns());
        handler.initialize();
    }

    /** Does once what a loop does, so that whatever is not as it was built for fails. */
    static void tryOut() throws IOException {
        final EpollSocketLoop loop = new EpollSocketLoop(SystemNanoClock.INSTANCE);
        try {
            final EpollStreamSocket socket = new EpollStreamSocket(loop, loop.sockets.open());
            socket.interest(true, true);
            loop.poll();
            socket.close();
            loop.poll();
        } finally {
            loop.close();
        }
    }

    @Override
    public ListenSocket listen(final InetSocketAddress address) throws IOException {
        final Socket socket = sockets.open();
        try {
            socket.setReuseAddress(true);
            socket.bind(address);
            socket.listen(BACKLOG_LENGTH);
            return new EpollListenSocket(this, socket);
        } catch (final IOException ex) {
            socket.close();
            throw ex;
        }
    }

    @Override
    public StreamSocket connect(final InetSocketAddress address) throws IOException {
        final Socket socket = sockets.open();
        try {
            final EpollStreamSocket stream = new EpollStreamSocket(this, socket);
            stream.startConnect(address);
            return stream;
        } catch (final IOException ex) {
            socket.close();
            throw ex;
        }
    }

    IoRegistration register(final EpollIoHandle handle) throws IOException {
        try {
            return handler.register(handle);
        } catch (final IOException ex) {
            throw ex;
        } catch (final Exception ex) {
            throw new IOException("cannot register with epoll", ex);
        }
    }

    /** Fills in a {@code struct iovec[2]} and returns its address, valid until the next call. */
    long vector(final long address0, final long length0, final long address1, final long length1) {
        final UnsafeBuffer buffer = vector.buffer();
        buffer.putLong(0, address0);
        buffer.putLong(Long.BYTES, length0);
        buffer.putLong(2 * Long.BYTES, address1);
        buffer.putLong(3 * Long.BYTES, length1);
        return vector.address();
    }

    @Override
    public void poll() {
        context.timeoutNs = 0;
        handler.run(context);
    }

    @Override
    public void await(final long timeoutNs) {
        if (timeoutNs > 0 && wakeupFlag.beginWait()) {
            context.timeoutNs = timeoutNs;
            handler.run(context);
        }
        wakeupFlag.endWait();
    }

    @Override
    public void wakeup() {
        if (wakeupFlag.wake()) {
            handler.wakeup();
        }
    }

    @Override
    public void close() {
        handler.prepareToDestroy();
        handler.destroy();
        BufferUtil.free(vector.memory());
    }

    private static Socket newInternetSocket() throws IOException {
        try {
            return Socket.newSocketStream();
        } catch (final ChannelException ex) {
            throw new IOException(ex.getCause() == null ? ex : ex.getCause());
        }
    }

    private interface SocketFactory {
        Socket open() throws IOException;
    }

    /** Netty asks it before it blocks, after it has announced that it is about to: so no wake-up is lost. */
    private final class Context implements IoHandlerContext {
        private long timeoutNs;

        @Override
        public boolean canBlock() {
            return timeoutNs > 0 && !wakeupFlag.isWoken();
        }

        @Override
        public long delayNanos(final long currentTimeNs) {
            return timeoutNs;
        }

        @Override
        public long deadlineNanos() {
            return clock.nanoTime() + timeoutNs;
        }
    }

    /**
     * Every call but {@link #wakeup()} comes from the owner, and a wake-up reaches the handler only when the owner
     * waits, so that nobody is ever to be sent to another thread.
     */
    private static final class CallerRuns implements ThreadAwareExecutor {
        @Override
        public boolean isExecutorThread(final Thread thread) {
            return false;
        }

        @Override
        public void execute(final Runnable command) {
            command.run();
        }
    }
}
