package io.penstock.transport.stream.tls;

import io.penstock.transport.PeerIdentity;
import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.StreamSocket;
import io.penstock.transport.tls.BoundedEngine;
import io.penstock.transport.tls.EmptyRecords;
import io.penstock.transport.tls.ReleasableEngine;
import io.penstock.transport.tls.TlsException;
import io.penstock.transport.tls.TlsIdentity;
import io.penstock.transport.tls.TlsReasons;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts one connection, and does its handshake as far as the medium lets it. Owned by the agent of the
 * transport. What it allocates for records its engine does.
 */
final class TlsEngine {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int ALERT_COUNT_MAX = 4;

    private final SSLEngine engine;
    private final StreamSocket medium;
    private final Chunk scratch;
    private final RecordInput input;
    private final RecordOutput output;
    private final RecordWriter writer;
    private final EmptyRecords emptyRecords;

    private int handshakeLength;
    private boolean isDone;
    private boolean isPeerDone;
    private boolean hasMore;
    private @Nullable IOException readError;

    /** What a handshake needs to go on. */
    enum Step {
        READ,
        WRITE,
        COMPUTE,
        DONE
    }

    /** Takes over an engine, which is released when this is closed, or cannot be made. */
    TlsEngine(final SSLEngine engine, final StreamSocket medium, final TlsSocketLoop loop) throws TlsException {
        this.engine = engine;
        this.medium = medium;
        scratch = loop.scratch();
        input = new RecordInput(loop.pool(), loop.received());
        output = new RecordOutput(loop.pool(), medium);
        writer = new RecordWriter(engine, output);
        emptyRecords = new EmptyRecords(loop.clock());
        try {
            engine.beginHandshake();
        } catch (final SSLException e) {
            ReleasableEngine.release(engine);
            throw new TlsException(TlsReasons.of(e), e);
        }
    }

    /** Goes on with the handshake until it needs something. */
    Step handshake() throws IOException {
        input.begin();
        try {
            return goOn();
        } finally {
            input.end();
        }
    }

    private Step goOn() throws IOException {
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    return Step.COMPUTE;
                }
                case NEED_WRAP -> {
                    if (!output.hasRoom(engine) && !output.flush()) {
                        return Step.WRITE;
                    }
                    wrapOwn();
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!output.flush()) {
                        return Step.WRITE;
                    } else if (input.hasRecord()) {
                        unwrapHandshake();
                    } else if (input.isAtEnd()) {
                        throw new TlsException(
                                "closed by the peer during the handshake (see its log; does it speak TLS?)");
                    } else if (input.fill(medium) == 0 && !input.isAtEnd()) {
                        return Step.READ;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    isDone = output.flush();
                    return isDone ? Step.DONE : Step.WRITE;
                }
            }
        }
    }

    /** What the handshake has to compute; null when there is no more of it. */
    @Nullable
    Runnable task() {
        return engine.getDelegatedTask();
    }

    private void unwrapHandshake() throws IOException {
        handshakeLength += input.recordLength();
        if (handshakeLength > BoundedEngine.HANDSHAKE_LENGTH_MAX) {
            throw BoundedEngine.tooLong();
        }
        final SSLEngineResult result = unwrap(scratch, 0, scratch.length());
        if (isPeerDone) {
            throw new TlsException("ended by the peer during the handshake (see its log)");
        }
        if (result.bytesProduced() > 0) {
            throw new TlsException("the peer sent data before the end of the handshake (it breaks the rules of TLS)");
        }
    }

    private SSLEngineResult unwrap(final Chunk to, final int offset, final int length) throws IOException {
        final SSLEngineResult result;
        try {
            result = engine.unwrap(input.record(), to.bytes(offset, length));
        } catch (final SSLException e) {
            sendAlert();
            throw new TlsException(TlsReasons.of(e), e);
        }
        if (result.bytesConsumed() != input.recordLength()) {
            throw new TlsException("a record of the peer cannot be read: " + result.getStatus() + " (see its log)");
        }
        input.onRecordTaken();
        isPeerDone |= result.getStatus() == SSLEngineResult.Status.CLOSED;
        return result;
    }

    /** Encrypts what the engine itself has to say. */
    private SSLEngineResult wrapOwn() throws IOException {
        try {
            return output.wrap(engine, NOTHING);
        } catch (final SSLException e) {
            sendAlert();
            throw new TlsException(TlsReasons.of(e), e);
        }
    }

    /** Says to the peer why, as far as it takes that at once. */
    private void sendAlert() {
        try {
            for (int i = 0; i < ALERT_COUNT_MAX && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++) {
                if (output.hasRoom(engine)) {
                    output.wrap(engine, NOTHING);
                }
            }
            output.flush();
        } catch (final IOException e) {
            // The peer is gone, or the engine has failed for good: the failure before this is the one to be reported.
            output.release();
        }
    }

    /** As {@link StreamSocket#read}. What came before an error is returned first. */
    int read(final Chunk to, final int offset, final int length) throws IOException {
        if (readError != null) {
            throw readError;
        }
        input.begin();
        try {
            return readAll(to, offset, length);
        } finally {
            input.end();
        }
    }

    private int readAll(final Chunk to, final int offset, final int length) throws IOException {
        hasMore = false;
        int total = 0;
        try {
            while (!isPeerDone && (!input.isAtEnd() || input.hasRecord())) {
                if (!input.hasRecord()) {
                    if (input.fill(medium) == 0 && !input.isAtEnd()) {
                        return total;
                    }
                } else if (length - total < RecordInput.RECORD_LENGTH_MAX) {
                    hasMore = true;
                    return total;
                } else {
                    total += readRecord(to, offset + total, length - total);
                }
            }
            if (!isPeerDone) {
                throw new EOFException("closed by peer without a word (its process may have died)");
            }
        } catch (final IOException e) {
            readError = e;
            if (total == 0) {
                throw e;
            }
        }
        hasMore = total > 0;
        return total > 0 ? total : StreamSocket.END_OF_STREAM;
    }

    private int readRecord(final Chunk to, final int offset, final int length) throws IOException {
        if (input.isHandshake()) {
            throw new TlsException("the peer wants another handshake, which is not allowed (it should connect again)");
        }
        final SSLEngineResult result = unwrap(to, offset, length);
        if (result.bytesProduced() == 0 && !isPeerDone) {
            emptyRecords.onRecord();
        }
        if (result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            answer();
        }
        return result.bytesProduced();
    }

    /** To an update of keys, or another message of TLS itself. When there is no room now it goes with what is sent next. */
    private void answer() throws IOException {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
        for (int i = 0; i < ALERT_COUNT_MAX && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++) {
            if (output.hasRoom(engine)) {
                wrapOwn();
            }
        }
        output.flush();
    }

    /** Whether a read would give something without the medium. */
    boolean hasMore() {
        return hasMore;
    }

    /** Whether something was received that no read has given yet. */
    boolean isBuffered() {
        return hasMore || !input.isEmpty();
    }

    /** What encrypts data. */
    RecordWriter writer() {
        return writer;
    }

    /** Gives the medium what waits for it. Returns true when nothing is left. */
    boolean flush() throws IOException {
        return output.flush();
    }

    boolean isPending() {
        return output.isPending();
    }

    /** What the handshake has proved. */
    PeerIdentity identity() {
        return TlsIdentity.of(engine.getSession(), !engine.getUseClientMode());
    }

    /** Says to the peer that this is the end, as far as it takes that at once, and frees all memory. */
    void close() {
        if (isDone && !output.isPending()) {
            engine.closeOutbound();
            sendAlert();
        }
        input.release();
        output.release();
        ReleasableEngine.release(engine);
    }
}
