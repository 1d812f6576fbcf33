package io.penstock.transport.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.agrona.concurrent.NanoClock;

/**
 * An engine that bounds what a peer makes it do: bytes of the handshake, and records without data later. For connections
 * whose owner has no bounds of its own. At a bound {@link #unwrap} throws. Confined to the thread of its connection, as far as
 * the engine that it has is.
 */
public final class BoundedEngine extends ForwardingEngine implements ReleasableEngine {
    /** The most bytes that a peer may send before its handshake is done, its certificates among them. */
    public static final int HANDSHAKE_LENGTH_MAX = 64 * 1024;

    private final SSLEngine bounded;
    private final EmptyRecords emptyRecords;
    private int handshakeLength;
    private boolean isDone;

    BoundedEngine(final SSLEngine engine, final NanoClock clock) {
        super(engine);
        bounded = engine;
        emptyRecords = new EmptyRecords(clock);
    }

    /**
     * The error for a handshake that is too long.
     *
     * @return a new exception.
     */
    public static TlsException tooLong() {
        return new TlsException("the handshake of the peer is longer than " + HANDSHAKE_LENGTH_MAX
                + " bytes (send fewer certificates)");
    }

    @Override
    public SSLEngineResult unwrap(final ByteBuffer from, final ByteBuffer[] to, final int offset, final int length)
            throws SSLException {
        final SSLEngineResult result = super.unwrap(from, to, offset, length);
        final boolean wasDone = isDone;
        note(result);
        try {
            if (!wasDone) {
                handshakeLength += result.bytesConsumed();
                if (handshakeLength > HANDSHAKE_LENGTH_MAX) {
                    throw tooLong();
                }
            } else if (result.getStatus() == Status.OK && result.bytesConsumed() > 0 && result.bytesProduced() == 0) {
                emptyRecords.onRecord();
            }
        } catch (final TlsException e) {
            throw new SSLException(e);
        }
        return result;
    }

    @Override
    public SSLEngineResult wrap(final ByteBuffer[] from, final int offset, final int length, final ByteBuffer to)
            throws SSLException {
        final SSLEngineResult result = super.wrap(from, offset, length, to);
        note(result);
        return isMoreDue(result)
                ? new SSLEngineResult(
                        result.getStatus(), HandshakeStatus.NEED_WRAP, result.bytesConsumed(), result.bytesProduced())
                : result;
    }

    /**
     * Whether what it has said by itself is followed by more, or by the error that it was about. Owners that go by results would
     * not ask for that: the native engine says so by its status alone.
     */
    private boolean isMoreDue(final SSLEngineResult result) {
        return result.getStatus() == Status.OK
                && result.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                && result.bytesConsumed() == 0
                && result.bytesProduced() > 0
                && bounded.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
    }

    @Override
    public void release() {
        ReleasableEngine.release(bounded);
    }

    private void note(final SSLEngineResult result) {
        isDone |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }
}
