package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls an object, one call at a time, over a connection of its own, which is made by the first call. Owned by one thread,
 * but for {@link #close}.
 */
public final class GiopClient {
    private static final int READ_LENGTH = 8 * 1024;
    private static final int FORWARD_COUNT_MAX = 4;

    /** Before it wide characters have no length of their own. */
    private static final int WIDE_MINOR = 2;

    private final ReadLimits limits;
    private final int pieceLength;
    private final int timeoutMs;
    private final Predicate<String> mayForward;
    private final Answer answer = new Answer();
    private Ior target;
    private volatile Socket socket = new Socket();
    private volatile boolean isClosed;
    private @Nullable MessageReader reader;
    private boolean isProven;
    private boolean isWide;
    private int nextId;

    /**
     * Connects to nobody yet.
     *
     * @param target          whom to call.
     * @param answerLengthMax longest answer in bytes.
     * @param pieceLength     of the pieces, and fragments, in which it sends; a multiple of 8.
     * @param timeoutMs       longest wait for a connection, and for each part of an answer; 0 = none.
     * @param mayForward      whether to go to another host when the target says so.
     */
    public GiopClient(
            final Ior target,
            final int answerLengthMax,
            final int pieceLength,
            final int timeoutMs,
            final Predicate<String> mayForward) {
        this.target = target;
        this.pieceLength = pieceLength;
        this.timeoutMs = timeoutMs;
        this.mayForward = mayForward;
        limits = new ReadLimits(answerLengthMax, answerLengthMax, answerLengthMax, 1);
    }

    /**
     * Names the code sets to the target in any case: without them it takes no wide characters. They are UTF-16.
     *
     * @return this.
     */
    public GiopClient wide() {
        isWide = true;
        return this;
    }

    /**
     * Calls, and waits for the answer. Connects anew, once, when the target closes a connection that has served before the
     * call. After an {@link IOException} the client is of no more use.
     *
     * @param operation its name.
     * @param arguments writes what it is given.
     * @param results   reads what it returns.
     * @throws IOException     when nobody answers, or not in GIOP.
     * @throws SystemException when the answer is one, or a user exception: {@code UNKNOWN} with its name.
     */
    public void call(final String operation, final Arguments arguments, final Results results)
            throws IOException, SystemException {
        for (int i = 0; i <= FORWARD_COUNT_MAX; i++) {
            if (isAnswered(operation, arguments, results)) {
                return;
            }
        }
        throw new IOException("GIOP: sent from place to place: " + where());
    }

    private boolean isAnswered(final String operation, final Arguments arguments, final Results results)
            throws IOException, SystemException {
        final int id = ++nextId;
        final int minor = target.minor();
        final CdrWriter out = CdrWriter.message(false);
        // The code set matters to values alone; it is named once for each connection.
        final boolean isFirst = !socket.isConnected();
        final boolean isUtf8 = minor > 0 && target.isUtf8();
        final Charset charset = isUtf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
        out.charset(charset);
        final int codeSet = isUtf8 ? CodeSets.UTF_8 : isWide ? CodeSets.ISO_8859_1 : 0;
        new RequestHeader(id, true, target.key(), operation, isFirst ? codeSet : 0).write(out, minor, true);
        arguments.write(out);
        if (isFirst) {
            connect();
        }
        send(new OutgoingMessage(minor, MessageType.REQUEST, id, out, pieceLength));
        answer.await(id, charset, results);
        while (!answer.isThere()) {
            receive();
        }
        isProven = answer.isFinal();
        return isProven;
    }

    private void connect() throws IOException {
        socket.connect(new InetSocketAddress(target.host(), target.port()), timeoutMs);
        if (isClosed) {
            socket.close();
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(timeoutMs);
        reader = new MessageReader(limits, LengthBudget.NONE, UnpooledByteBufAllocator.DEFAULT, answer);
    }

    private void send(final OutgoingMessage message) throws IOException {
        final OutputStream out = socket.getOutputStream();
        final ByteBuf piece = Unpooled.buffer(message.nextLengthMax());
        while (!message.isDone()) {
            piece.clear();
            message.writeNext(piece);
            out.write(piece.array(), 0, piece.readableBytes());
        }
    }

    private void receive() throws IOException, SystemException {
        final InputStream in = socket.getInputStream();
        final byte[] bytes = new byte[READ_LENGTH];
        final int count = in.read(bytes);
        final MessageReader known = reader;
        if (count < 0 || known == null) {
            throw new IOException("GIOP: the connection was closed: " + where());
        }
        try {
            known.read(Unpooled.wrappedBuffer(bytes, 0, count));
        } catch (final ProtocolException e) {
            throw new IOException("GIOP: not understood: " + where() + ": " + e.getMessage(), e);
        }
        final SystemException failure = answer.failure;
        if (failure != null) {
            throw failure;
        }
    }

    private void forward(final @Nullable Ior place) throws ProtocolException {
        if (place == null || !mayForward.test(place.host())) {
            throw new ProtocolException(
                    "sent to another place that is not allowed: " + (place == null ? "nowhere" : place.host()));
        }
        if (isWide && place.minor() < WIDE_MINOR) {
            throw new ProtocolException("sent to another place that takes no wide characters: IIOP 1." + place.minor()
                    + " at " + place.host());
        }
        target = place;
        disconnect();
    }

    /** The next socket is there before a close, or not at all: a close ends its connecting, too. */
    private synchronized void disconnect() throws ProtocolException {
        closeQuietly();
        if (isClosed) {
            throw new ProtocolException("given up");
        }
        socket = new Socket();
    }

    private String where() {
        return target.host() + ":" + target.port();
    }

    /** Ends the call that is under way, if there is one, and each later one. Waits for nobody; any thread may call it. */
    public synchronized void close() {
        isClosed = true;
        closeQuietly();
    }

    private void closeQuietly() {
        try {
            socket.close();
        } catch (final IOException e) {
            // It is gone as well.
            return;
        }
    }

    /** The arguments of an operation. */
    public interface Arguments {
        /**
         * Writes it.
         *
         * @param out where to.
         * @throws SystemException when it cannot be written.
         */
        void write(CdrWriter out) throws SystemException;
    }

    /** The results of an operation. */
    public interface Results {
        /** Nothing. */
        Results NONE = in -> {};

        /**
         * Reads it.
         *
         * @param in valid until this returns.
         * @throws SystemException when it cannot be read.
         */
        void read(CdrReader in) throws SystemException;
    }

    /** The answer that is waited for. */
    private final class Answer implements MessageSink {
        private int id;
        private Charset charset = StandardCharsets.ISO_8859_1;
        private Results results = Results.NONE;
        private boolean isThere;
        private boolean isAskedAnew;
        private @Nullable SystemException failure;

        void await(final int newId, final Charset newCharset, final Results newResults) {
            id = newId;
            charset = newCharset;
            results = newResults;
            isThere = false;
            isAskedAnew = false;
            failure = null;
        }

        boolean isThere() {
            return isThere;
        }

        boolean isFinal() {
            return !isAskedAnew;
        }

        @Override
        public void onMessage(final MessageHeader header, final CdrReader body, final long length)
                throws ProtocolException {
            if (header.type() == MessageType.CLOSE_CONNECTION && isProven && !isThere) {
                // The call has not been looked at.
                disconnect();
                isThere = true;
                isAskedAnew = true;
                return;
            }
            if (header.type() != MessageType.REPLY || isThere) {
                throw new ProtocolException("no reply, but a message of type " + header.type());
            }
            try {
                final ReplyHeader reply = ReplyHeader.read(body, header.minor());
                if (reply.id() != id) {
                    throw new ProtocolException("a reply to another request: " + reply.id());
                }
                isThere = true;
                body.charset(charset);
                read(reply.status(), body);
            } catch (final SystemException e) {
                isThere = true;
                failure = e;
            }
        }

        private void read(final int status, final CdrReader body) throws SystemException, ProtocolException {
            switch (status) {
                case ReplyHeader.NO_EXCEPTION -> results.read(body);
                case ReplyHeader.USER_EXCEPTION ->
                    failure = new SystemException(
                            "UNKNOWN", 0, SystemException.COMPLETED_MAYBE, "the object has refused: " + body.string());
                case ReplyHeader.SYSTEM_EXCEPTION -> failure = SystemException.read(body);
                case ReplyHeader.LOCATION_FORWARD, ReplyHeader.LOCATION_FORWARD_FOR_GOOD -> {
                    forward(Ior.read(body));
                    isAskedAnew = true;
                }
                default -> throw new ProtocolException("no such status: " + status);
            }
        }

        @Override
        public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason)
                throws ProtocolException {
            throw new ProtocolException("the answer is too long");
        }

        @Override
        public void onStaged(final int length) {
            // Answers are short.
        }
    }
}
