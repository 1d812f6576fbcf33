package io.penstock.transport.stream.tls;

import java.net.InetSocketAddress;

/** Hears of peers whose handshake failed before they had a connection. Called by the agent that owns the transport. */
public interface HandshakeListener {
    /**
     * A peer that has connected was refused.
     *
     * @param peer   where it comes from.
     * @param reason why, and what helps, for people.
     */
    void onHandshakeFailed(InetSocketAddress peer, String reason);
}
