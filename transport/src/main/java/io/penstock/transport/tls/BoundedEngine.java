package io.penstock.transport.tls;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * An engine that bounds what a peer makes it do: bytes of the handshake, and records without data later. For connections
 * whose owner has no bounds of its own. At a bound {@link #unwrap} throws. Confined to the thread of its connection, as far as
 * the engine that it has is.
 */
public final class BoundedEngine extends SSLEngine {
    /** The most bytes that a peer may send before its handshake is done, its certificates among them. */
    public static final int HANDSHAKE_LENGTH_MAX = 64 * 1024;

    private final SSLEngine engine;
    private final EmptyRecords emptyRecords;
    private int handshakeLength;
    private boolean isDone;

    BoundedEngine(final SSLEngine engine, final NanoClock clock) {
        this.engine = engine;
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
        final SSLEngineResult result = engine.unwrap(from, to, offset, length);
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
        final SSLEngineResult result = engine.wrap(from, offset, length, to);
        note(result);
        return result;
    }

    private void note(final SSLEngineResult result) {
        isDone |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }

    @Override
    public @Nullable Runnable getDelegatedTask() {
        return engine.getDelegatedTask();
    }

    @Override
    public void closeInbound() throws SSLException {
        engine.closeInbound();
    }

    @Override
    public boolean isInboundDone() {
        return engine.isInboundDone();
    }

    @Override
    public void closeOutbound() {
        engine.closeOutbound();
    }

    @Override
    public boolean isOutboundDone() {
        return engine.isOutboundDone();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return engine.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return engine.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(final String[] suites) {
        engine.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return engine.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(final String[] protocols) {
        engine.setEnabledProtocols(protocols);
    }

    @Override
    public SSLSession getSession() {
        return engine.getSession();
    }

    @Override
    public @Nullable SSLSession getHandshakeSession() {
        return engine.getHandshakeSession();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine.beginHandshake();
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return engine.getHandshakeStatus();
    }

    @Override
    public void setUseClientMode(final boolean mode) {
        engine.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return engine.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(final boolean need) {
        engine.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(final boolean want) {
        engine.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return engine.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(final boolean flag) {
        engine.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return engine.getSSLParameters();
    }

    @Override
    public void setSSLParameters(final SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }

    @Override
    public String getApplicationProtocol() {
        return engine.getApplicationProtocol();
    }

    @Override
    public String getHandshakeApplicationProtocol() {
        return engine.getHandshakeApplicationProtocol();
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(
            final BiFunction<SSLEngine, List<String>, String> selector) {
        engine.setHandshakeApplicationProtocolSelector(selector);
    }

    @Override
    public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return engine.getHandshakeApplicationProtocolSelector();
    }
}
