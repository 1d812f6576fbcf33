package io.penstock.transport.tls;

/** Whether the side that listens asks for certificates of those that connect. */
public enum ClientCertificates {
    /** It does not. */
    NONE,

    /** It asks; who has none may connect without, and one that is not trusted is refused. */
    OPTIONAL,

    /** It asks, and who has none is refused. */
    REQUIRED
}
