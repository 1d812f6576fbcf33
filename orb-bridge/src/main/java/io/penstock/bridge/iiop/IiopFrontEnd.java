package io.penstock.bridge.iiop;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.IiopTls;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.ReadLimits;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeService;
import io.penstock.bridge.service.TlsFailures;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Serves CORBA clients: the guests' session under the key {@code PenstockBroker}, and a session for each client that logs
 * on, all on one port. Safe on any thread.
 */
public final class IiopFrontEnd implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int RECEIVE_LENGTH_MIN = 1024;
    private static final int RECEIVE_LENGTH_FIRST = 16 * 1024;
    private static final int RECEIVE_LENGTH_MAX = 64 * 1024;
    private static final int READY_LENGTH_MIN = 64 * 1024;
    private static final int READY_LENGTH_MAX = 256 * 1024;
    private static final int LENGTH_FOR_EACH = 4096;
    private static final int LENGTH_MORE = 64 * 1024;
    private static final int LENGTHS_READ_PAST = 4;
    private static final long CLOSE_TIMEOUT_S = 5;

    private final IiopConfig config;
    private final EventLoopGroup threads;
    private final Set<IiopConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger handingOver = new AtomicInteger();
    private final CallPool pool;
    private final SessionKeys sessions;
    private final Channel listening;
    private @Nullable NamingRegistration registration;

    private IiopFrontEnd(final BridgeService service, final @Nullable TlsContexts tls) throws IOException {
        config = service.config().iiop();
        final InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(config.address()), config.port());
        final boolean isEpoll = Epoll.isAvailable();
        threads = threads(isEpoll, config.ioThreadCount());
        pool = new CallPool(config.threadCountMax(), new DefaultThreadFactory("penstock-bridge-call", true));
        final Acceptor acceptor = new Acceptor(service, tls);
        final ServerBootstrap bootstrap = new ServerBootstrap()
                .group(threads)
                .channel(isEpoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                // Nobody is accepted before there is something to serve.
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(READY_LENGTH_MIN, READY_LENGTH_MAX))
                .childHandler(acceptor);
        final ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stopThreads();
            throw new IOException(
                    "bridge.iiop: cannot listen on " + config.address() + ":" + config.port() + ": "
                            + bound.cause().getMessage() + " (use another port, or 0 for a free one)",
                    bound.cause());
        }
        listening = bound.channel();
        listening.pipeline().addLast(new FailureLog());
        final boolean isRequired = config.tls() == IiopTls.REQUIRED;
        sessions = new SessionKeys(
                service,
                host(config),
                isRequired ? 0 : port(),
                tls == null ? null : Ior.Secure.of(port(), isRequired, tls.areClientsIdentified()));
        acceptor.serve(sessions);
        listening.config().setAutoRead(true);
    }

    /**
     * Begins to serve.
     *
     * @param service      to serve.
     * @param certificates for TLS; null when there are none.
     * @return the front end.
     * @throws IOException              when it cannot listen, write the file of the reference, or register its name.
     * @throws IllegalArgumentException when the configuration would let anybody in, or clients would not find it, or it
     *                                  wants TLS without certificates.
     */
    public static IiopFrontEnd start(final BridgeService service, final @Nullable TlsContexts certificates)
            throws IOException {
        final IiopConfig config = service.config().iiop();
        if (config.tls() != IiopTls.NONE && certificates == null) {
            throw new IllegalArgumentException("bridge.iiop.tls: is "
                    + config.tls().name().toLowerCase(Locale.ROOT)
                    + ", but there is no certificate (give tls.certificate and tls.key)");
        }
        final TlsContexts tls = config.tls() == IiopTls.NONE ? null : certificates;
        checkAddress(config, config.tls() == IiopTls.REQUIRED && tls != null && tls.areClientsIdentified());
        final IiopFrontEnd frontEnd = new IiopFrontEnd(service, tls);
        try {
            frontEnd.publish();
        } catch (final IOException | RuntimeException e) {
            frontEnd.close();
            throw e;
        }
        final long timeoutNs = TimeUnit.MILLISECONDS.toNanos(config.idleTimeoutMs());
        service.inTurn(nowNs -> {
            frontEnd.open.forEach(each -> each.lookAfter(nowNs, timeoutNs));
            frontEnd.open.removeIf(IiopConnection::isOver);
        });
        service.inTurn(frontEnd.sessions::closeWhatIsOver);
        return frontEnd;
    }

    /** Made by classes that Netty 4.1 has as well, since a framework may choose the version. */
    @SuppressWarnings("deprecation")
    private static EventLoopGroup threads(final boolean isEpoll, final int count) {
        final DefaultThreadFactory factory = new DefaultThreadFactory("penstock-bridge-iiop", true);
        // No conditional expression: its type would be a class that only 4.2 has.
        if (isEpoll) {
            return new EpollEventLoopGroup(count, factory);
        }
        return new NioEventLoopGroup(count, factory);
    }

    private static void checkAddress(final IiopConfig config, final boolean areClientsIdentified) throws IOException {
        final InetAddress address = InetAddress.getByName(config.address());
        if (!address.isLoopbackAddress() && !config.allowInsecureListen() && !areClientsIdentified) {
            throw new IllegalArgumentException("bridge.iiop.address: other machines can reach it: " + config.address()
                    + " (use 127.0.0.1, or bridge.iiop.tls: required with tls.clientCertificates: required;"
                    + " bridge.iiop.allowInsecureListen if the network is trusted)");
        }
        if (address.isAnyLocalAddress() && config.host().isEmpty()) {
            throw new IllegalArgumentException("bridge.iiop.host: missing, and the address is a wildcard: "
                    + config.address() + " (name the host that clients call)");
        }
    }

    private static String host(final IiopConfig config) {
        return config.host().isEmpty() ? config.address() : config.host();
    }

    private synchronized void publish() throws IOException {
        if (!config.iorFile().isEmpty()) {
            write(Path.of(config.iorFile()));
        }
        if (!config.naming().isEmpty()) {
            registration = NamingRegistration.register(
                    config.naming(), config.name(), sessions.reference(SessionKeys.GUEST_KEY));
        }
    }

    /** A program that waits for the file finds it whole. */
    private void write(final Path file) throws IOException {
        try {
            final Path written = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(written, ior() + "\n", StandardCharsets.US_ASCII);
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (final IOException e) {
            throw new IOException(
                    "bridge.iiop.iorFile: cannot be written: " + file + ": " + e.getMessage()
                            + " (use a path in a directory that is there)",
                    e);
        }
    }

    /**
     * Where it listens.
     *
     * @return the real port.
     */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /**
     * The reference to the guests' session.
     *
     * @return {@code IOR:…}.
     */
    public String ior() {
        return sessions.reference(SessionKeys.GUEST_KEY).text();
    }

    /**
     * Whether messages that were taken are on their way to a client.
     *
     * @return false when all are sent.
     */
    public boolean isHandingOver() {
        return handingOver.get() > 0;
    }

    /**
     * The threads that serve clients: those that read and write, and those that wait for the broker at present.
     *
     * @return count.
     */
    public int threadCount() {
        return config.ioThreadCount() + pool.threadCount();
    }

    /**
     * Takes its name away from the name service, reads no more, ends the sessions of CORBA clients and the guests', which ends what waits for messages, and closes each
     * connection when all its requests are answered; after five seconds without that. Idempotent.
     */
    @Override
    public void close() {
        endRegistration();
        final var unused = listening.close();
        open.forEach(IiopConnection::close);
        sessions.close();
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_TIMEOUT_S);
        open.forEach(each -> each.awaitClose(deadlineNs));
        pool.close();
        stopThreads();
    }

    private synchronized void endRegistration() {
        final NamingRegistration known = registration;
        registration = null;
        if (known != null) {
            known.end();
        }
    }

    private void stopThreads() {
        threads.shutdownGracefully(0, CLOSE_TIMEOUT_S, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
    }

    /** Makes connections of what is accepted, as many as there may be. */
    private final class Acceptor extends ChannelInitializer<Channel> {
        private final BridgeService service;
        private final AtomicInteger openCount = new AtomicInteger();
        private final AdaptiveRecvByteBufAllocator receiveBuffers =
                new AdaptiveRecvByteBufAllocator(RECEIVE_LENGTH_MIN, RECEIVE_LENGTH_FIRST, RECEIVE_LENGTH_MAX);
        private volatile @Nullable IiopServer server;

        private final @Nullable TlsContexts tls;
        private final TlsFailures failures;

        Acceptor(final BridgeService service, final @Nullable TlsContexts tls) {
            this.service = service;
            this.tls = tls;
            failures = new TlsFailures(service.counters());
        }

        void serve(final SessionKeys newSessions) {
            final BridgeConfig all = service.config();
            final long lengthMax = all.batchLengthMax() + (long) LENGTH_FOR_EACH * all.batchCountMax() + LENGTH_MORE;
            server = new IiopServer(
                    new Operations(all, newSessions, new Listeners(config, service.counters())),
                    pool,
                    service.counters(),
                    new ReadLimits(
                            lengthMax, LENGTHS_READ_PAST * lengthMax, 2 * lengthMax, config.fragmentedCountMax()),
                    IiopServer.HeldLengths.of(config.receivedLengthMax()),
                    config.fragmentLength(),
                    new IiopServer.WaitingLimits(config.requestCountMax(), 2 * lengthMax),
                    handingOver);
        }

        @Override
        protected void initChannel(final Channel channel) {
            // No option, since its name is another one in Netty 4.1.
            channel.config().setRecvByteBufAllocator(receiveBuffers);
            final IiopServer known = server;
            if (openCount.incrementAndGet() > config.connectionCountMax() || known == null) {
                openCount.decrementAndGet();
                service.counters().add(BridgeCounter.CONNECTIONS_REFUSED, 1);
                final var unused = channel.close();
                return;
            }
            final IiopConnection connection = new IiopConnection(known, channel);
            service.counters().add(BridgeCounter.CONNECTIONS, 1);
            service.counters().add(BridgeCounter.CONNECTIONS_OPEN, 1);
            open.add(connection);
            channel.closeFuture().addListener(closed -> {
                openCount.decrementAndGet();
                service.counters().add(BridgeCounter.CONNECTIONS_OPEN, -1);
            });
            channel.pipeline().addLast(new ConnectionStart(config.tls(), tls, failures), connection);
        }

        /** Unlike Netty's, goes on when the logger fails. */
        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause) {
            final var unused = context.close();
            FailureLog.warn("bridge: a connection cannot be served", cause);
        }
    }
}
