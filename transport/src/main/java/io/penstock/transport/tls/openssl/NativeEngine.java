package io.penstock.transport.tls.openssl;

import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import io.netty.util.IllegalReferenceCountException;
import io.penstock.transport.tls.ForwardingEngine;
import io.penstock.transport.tls.ReleasableEngine;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * An engine of BoringSSL that says by its status, as that of the JDK does, when it has something to say: after a task, an answer
 * to an update of keys, an alert. Netty's says so only in results. Each unwrap is given one whole record.
 *
 * <p>Each handshake is a whole one. A session of TLS 1.3 could be taken up again for a week, however long ago the peer has shown
 * its certificate, as each time there is a new ticket; there is no setting for that.
 *
 * <p>Confined to the thread of its connection, but for {@link #getDelegatedTask() tasks}, which another thread may run while this
 * one does nothing with the engine but release it. The memory is freed when both are done.
 */
final class NativeEngine extends ForwardingEngine implements ReleasableEngine {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final ReferenceCountedOpenSslEngine engine;

    /** Whether the next thing to do is to wrap: it brings out what waits, or the error. */
    private boolean isWrapDue;

    private boolean isReleased;

    /** Takes over an engine of Netty that nobody has used. */
    private NativeEngine(final SSLEngine made) {
        super(made);
        engine = (ReferenceCountedOpenSslEngine) made;
        COUNT.incrementAndGet();
    }

    /**
     * Gives out no tickets, and takes none.
     *
     * @param chainLengthMax of the peer's certificates: one more is looked at, so that somebody sees that there are too many.
     */
    static NativeEngine of(final SSLEngine made, final int chainLengthMax) {
        final NativeEngine engine = new NativeEngine(made);
        SSL.setOptions(engine.engine.sslPointer(), SSL.SSL_OP_NO_TICKET);
        if (made.getUseClientMode() || made.getNeedClientAuth() || made.getWantClientAuth()) {
            engine.engine.setVerify(
                    made.getWantClientAuth() ? SSL.SSL_CVERIFY_OPTIONAL : SSL.SSL_CVERIFY_REQUIRED, chainLengthMax + 1);
        }
        return engine;
    }

    /** Those of this process whose memory is not freed yet. */
    static int count() {
        return COUNT.get();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine.beginHandshake();
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return isWrapDue ? HandshakeStatus.NEED_WRAP : engine.getHandshakeStatus();
    }

    @Override
    public SSLEngineResult wrap(final ByteBuffer from, final ByteBuffer to) throws SSLException {
        isWrapDue = false;
        return afterWrap(engine.wrap(from, to));
    }

    @Override
    public SSLEngineResult wrap(final ByteBuffer[] from, final int offset, final int length, final ByteBuffer to)
            throws SSLException {
        isWrapDue = false;
        return afterWrap(engine.wrap(from, offset, length, to));
    }

    /** What it had to say may be followed by more, or by the error that it was about. */
    private SSLEngineResult afterWrap(final SSLEngineResult result) {
        isWrapDue = switch (result.getHandshakeStatus()) {
            case NEED_WRAP -> true;
            case NEED_TASK, FINISHED -> false;
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN, NOT_HANDSHAKING ->
                result.bytesConsumed() == 0 && result.bytesProduced() > 0;
        };
        return result;
    }

    @Override
    public SSLEngineResult unwrap(final ByteBuffer from, final ByteBuffer to) throws SSLException {
        return afterUnwrap(from, engine.unwrap(from, to));
    }

    @Override
    public SSLEngineResult unwrap(final ByteBuffer from, final ByteBuffer[] to, final int offset, final int length)
            throws SSLException {
        return afterUnwrap(from, engine.unwrap(from, to, offset, length));
    }

    /**
     * A record may be the last one of the handshake, of which the next call tells. Of one that is refused some bytes may be left,
     * which nobody is to look at.
     */
    private SSLEngineResult afterUnwrap(final ByteBuffer from, final SSLEngineResult result) {
        final HandshakeStatus status = result.getHandshakeStatus();
        isWrapDue = status == HandshakeStatus.NEED_WRAP
                || (status == HandshakeStatus.NEED_UNWRAP && result.bytesConsumed() > 0);
        final int left = from.remaining();
        if (status != HandshakeStatus.NEED_WRAP || left == 0 || result.bytesConsumed() == 0) {
            return result;
        }
        from.position(from.limit());
        return new SSLEngineResult(
                result.getStatus(), result.getHandshakeStatus(), result.bytesConsumed() + left, result.bytesProduced());
    }

    @Override
    public @Nullable Runnable getDelegatedTask() {
        final Runnable task = engine.getDelegatedTask();
        return task == null ? null : () -> run(task);
    }

    private void run(final Runnable task) {
        try {
            engine.retain();
        } catch (final IllegalReferenceCountException e) {
            // Released before its turn came.
            return;
        }
        try {
            task.run();
            isWrapDue = true;
        } finally {
            drop();
        }
    }

    @Override
    public void closeOutbound() {
        engine.closeOutbound();
        isWrapDue = !engine.isOutboundDone();
    }

    @Override
    public void release() {
        if (!isReleased) {
            isReleased = true;
            isWrapDue = false;
            drop();
        }
    }

    private void drop() {
        if (engine.release()) {
            COUNT.decrementAndGet();
        }
    }
}
