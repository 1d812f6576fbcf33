package io.penstock.bridge;

import io.penstock.bridge.service.CallerProof;
import io.penstock.transport.tls.TlsContexts;
import org.jspecify.annotations.Nullable;

/**
 * What a bridge encrypts with, and knows its clients by. Immutable.
 *
 * @param tls   the certificates, of a side that listens; whoever made them has them read again. Null for none.
 * @param proof has the broker know clients by what their connections prove.
 */
public record BridgeSecurity(@Nullable TlsContexts tls, CallerProof proof) {
    /** No certificates. */
    public static final BridgeSecurity NONE = new BridgeSecurity(null, CallerProof.NONE);
}
