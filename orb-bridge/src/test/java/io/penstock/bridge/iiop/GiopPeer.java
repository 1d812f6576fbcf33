package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.CodeSets;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.LengthBudget;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageReader;
import io.penstock.bridge.giop.MessageSink;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.ProtocolException;
import io.penstock.bridge.giop.ReadLimits;
import io.penstock.bridge.giop.ReplyHeader;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.orb.BrokerException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** A client with one connection, which many threads share; fragments of their requests take turns. */
final class GiopPeer implements MessageSink, AutoCloseable {
    private static final long WAIT_S = 40;
    private static final ReadLimits LIMITS = new ReadLimits(1 << 28, 1 << 28, 1 << 28, 1000);

    private final Socket socket;
    private final int minor;
    private final boolean isLittleEndian;
    private final int fragmentLength;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, Pending<?>> pending = new ConcurrentHashMap<>();
    private final ReentrantLock sending = new ReentrantLock(true);
    private final CompletableFuture<Integer> last = new CompletableFuture<>();
    private volatile int codeSet = CodeSets.UTF_8;
    private volatile CountDownLatch isReading = new CountDownLatch(0);

    GiopPeer(final Ior reference, final int minor, final boolean isLittleEndian, final int fragmentLength)
            throws IOException {
        this(new Socket(reference.host(), reference.port()), minor, isLittleEndian, fragmentLength);
    }

    private GiopPeer(
            final Socket socket, final int minor, final boolean isLittleEndian, final int fragmentLength)
            throws IOException {
        this.minor = minor;
        this.isLittleEndian = isLittleEndian;
        this.fragmentLength = fragmentLength;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        final Thread thread = new Thread(this::read, "giop-peer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Over a connection that is there. */
    static GiopPeer over(final Socket socket) throws IOException {
        return new GiopPeer(socket, 2, false, 64 * 1024);
    }

    static GiopPeer to(final Ior reference) throws IOException {
        return new GiopPeer(reference, 2, false, 64 * 1024);
    }

    /** Reads no more until that is counted down. */
    void holdUntil(final CountDownLatch released) {
        isReading = released;
    }

    /** Says what strings are from now on; they are written in UTF-8 all the same. */
    void codeSet(final int value) {
        codeSet = value;
    }

    /** Calls, and waits for the answer. */
    <T> T call(final String key, final String operation, final Call.Results arguments, final Reading<T> results)
            throws BrokerException, SystemException, IOException {
        return await(send(key, operation, arguments, results));
    }

    <T> CompletableFuture<T> send(
            final String key, final String operation, final Call.Results arguments, final Reading<T> results)
            throws IOException, SystemException {
        final int id = ids.incrementAndGet();
        final Pending<T> waiting = new Pending<>(results);
        pending.put(id, waiting);
        final CdrWriter out = CdrWriter.message(isLittleEndian);
        out.charset(StandardCharsets.UTF_8);
        new RequestHeader(id, true, key, operation, codeSet).write(out, minor, true);
        arguments.write(out);
        send(new OutgoingMessage(minor, MessageType.REQUEST, id, out, fragmentLength));
        if (last.isDone()) {
            waiting.future.completeExceptionally(new IOException("closed"));
        }
        return waiting.future;
    }

    CompletableFuture<Integer> locate(final String key) throws IOException {
        final int id = ids.incrementAndGet();
        final Pending<Integer> waiting = new Pending<>(CdrReader::readInt);
        pending.put(id, waiting);
        final CdrWriter out = CdrWriter.message(isLittleEndian);
        new RequestHeader(id, true, key, "", 0).writeLocate(out, minor);
        send(new OutgoingMessage(minor, MessageType.LOCATE_REQUEST, id, out, fragmentLength));
        return waiting.future;
    }

    void cancelLast() throws IOException {
        final CdrWriter out = CdrWriter.message(isLittleEndian);
        out.writeInt(ids.get());
        send(new OutgoingMessage(minor, MessageType.CANCEL_REQUEST, 0, out, fragmentLength));
    }

    private void send(final OutgoingMessage message) throws IOException {
        final ByteBuf piece = Unpooled.buffer(message.nextLengthMax());
        while (!message.isDone()) {
            sending.lock();
            try {
                do {
                    piece.clear();
                    message.writeNext(piece);
                    socket.getOutputStream().write(piece.array(), 0, piece.readableBytes());
                } while (!message.mayYield());
            } finally {
                sending.unlock();
            }
        }
    }

    /** What was sent is what is sent here. */
    void sendRaw(final byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    static <T> T await(final CompletableFuture<T> future) throws BrokerException, SystemException, IOException {
        try {
            return future.get(WAIT_S, TimeUnit.SECONDS);
        } catch (final ExecutionException e) {
            if (e.getCause() instanceof BrokerException refusal) {
                throw refusal;
            }
            if (e.getCause() instanceof SystemException failure) {
                throw failure;
            }
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (final InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new IOException("no answer in time", e);
        }
    }

    /** The type of the message with which the server has ended the connection; -1 when it was just closed. */
    int awaitEnd() throws Exception {
        return last.get(WAIT_S, TimeUnit.SECONDS);
    }

    private void read() {
        final MessageReader reader =
                new MessageReader(LIMITS, LengthBudget.NONE, UnpooledByteBufAllocator.DEFAULT, this);
        try {
            final InputStream in = socket.getInputStream();
            final byte[] bytes = new byte[64 * 1024];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                isReading.await();
                reader.read(Unpooled.copiedBuffer(bytes, 0, count));
            }
        } catch (final IOException | ProtocolException | InterruptedException e) {
            fail(e);
        }
        last.complete(-1);
        fail(new IOException("closed"));
        reader.release();
    }

    private void fail(final Exception cause) {
        pending.values().forEach(each -> each.future.completeExceptionally(cause));
    }

    @Override
    public void onMessage(final MessageHeader header, final CdrReader body, final long length)
            throws ProtocolException {
        try {
            if (header.type() == MessageType.LOCATE_REPLY) {
                take(body.readInt()).completeWith(body);
            } else if (header.type() == MessageType.REPLY) {
                final ReplyHeader reply = ReplyHeader.read(body, header.minor());
                body.charset(StandardCharsets.UTF_8);
                take(reply.id()).complete(reply.status(), body);
            } else {
                last.complete(header.type());
            }
        } catch (final SystemException e) {
            throw new ProtocolException(String.valueOf(e.getMessage()));
        }
    }

    private Pending<?> take(final int id) throws ProtocolException {
        final Pending<?> taken = pending.remove(id);
        if (taken == null) {
            throw new ProtocolException("an answer to nothing: " + id);
        }
        return taken;
    }

    @Override
    public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason)
            throws ProtocolException {
        throw new ProtocolException("too long");
    }

    @Override
    public void onStaged(final int length) {}

    @Override
    public void close() {
        try {
            socket.close();
        } catch (final IOException e) {
            return;
        }
    }

    /** Reads what an operation returns. */
    interface Reading<T> {
        T read(CdrReader in) throws SystemException;
    }

    private static final class Pending<T> {
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private final Reading<T> results;

        Pending(final Reading<T> results) {
            this.results = results;
        }

        void completeWith(final CdrReader body) throws SystemException {
            future.complete(results.read(body));
        }

        void complete(final int status, final CdrReader body) {
            try {
                switch (status) {
                    case ReplyHeader.NO_EXCEPTION -> future.complete(results.read(body));
                    case ReplyHeader.USER_EXCEPTION -> {
                        final String id = body.string();
                        future.completeExceptionally(
                                id.equals(Values.EXCEPTION_TYPE)
                                        ? new BrokerException(body.readInt(), body.string(), body.string())
                                        : new IOException(id));
                    }
                    case ReplyHeader.SYSTEM_EXCEPTION -> future.completeExceptionally(SystemException.read(body));
                    default -> future.completeExceptionally(new IOException("status " + status));
                }
            } catch (final SystemException e) {
                future.completeExceptionally(new IOException("answer: " + e.getMessage(), e));
            }
        }
    }
}
