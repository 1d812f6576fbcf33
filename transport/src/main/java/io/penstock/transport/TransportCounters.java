package io.penstock.transport;

/**
 * Counters of a transport. One set per agent, written by that agent alone; the agent's owner may publish the values for
 * other threads to read.
 */
public final class TransportCounters {
    private long bytesReceived;
    private long bytesSent;
    private long bytesCopied;
    private long sendCalls;
    private long sendLengthMax;
    private long receiveCalls;
    private long connectionsRefused;
    private long protocolErrors;
    private long fallbacks;
    private long handshakes;
    private long handshakesFailed;

    /**
     * Bytes came from the medium.
     *
     * @param length in bytes.
     */
    public void onReceived(final long length) {
        bytesReceived += length;
        receiveCalls++;
    }

    /**
     * Bytes were handed to the medium.
     *
     * @param length in bytes.
     */
    public void onSent(final long length) {
        bytesSent += length;
        sendCalls++;
        sendLengthMax = Math.max(sendLengthMax, length);
    }

    /**
     * Bytes of frames were copied in user space, on the way in or out.
     *
     * @param length in bytes.
     */
    public void onCopied(final long length) {
        bytesCopied += length;
    }

    /** A connection was closed on arrival because the limit was reached. */
    public void onConnectionRefused() {
        connectionsRefused++;
    }

    /** A peer was disconnected for what it sent. */
    public void onProtocolError() {
        protocolErrors++;
    }

    /** A connection or a listener uses another medium than the one that was asked for, as it may. */
    public void onFallback() {
        fallbacks++;
    }

    /** A handshake of TLS is done. */
    public void onHandshake() {
        handshakes++;
    }

    /** A handshake of TLS has failed, for whatever reason. */
    public void onHandshakeFailed() {
        handshakesFailed++;
    }

    public long handshakes() {
        return handshakes;
    }

    public long handshakesFailed() {
        return handshakesFailed;
    }

    /**
     * Connections and listeners that use another medium than the one that was asked for.
     *
     * @return how many.
     */
    public long fallbacks() {
        return fallbacks;
    }

    public long bytesReceived() {
        return bytesReceived;
    }

    public long bytesSent() {
        return bytesSent;
    }

    public long bytesCopied() {
        return bytesCopied;
    }

    public long sendCalls() {
        return sendCalls;
    }

    /**
     * The most that one call handed to the medium.
     *
     * @return bytes.
     */
    public long sendLengthMax() {
        return sendLengthMax;
    }

    public long receiveCalls() {
        return receiveCalls;
    }

    public long connectionsRefused() {
        return connectionsRefused;
    }

    public long protocolErrors() {
        return protocolErrors;
    }
}
