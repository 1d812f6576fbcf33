package io.penstock.client;

/** A way to prove who a client is. */
public enum LogonMechanism {
    /** No proof: the client is anonymous. */
    NONE(""),
    /**
     * A user and a password that is never sent; the broker has to prove that it knows the user. Over TLS the proof is bound to the
     * broker's certificate, so that nobody can decrypt between the two ({@code SCRAM-SHA-256-PLUS}). A broker that only knows
     * {@link #PLAIN} gets the password in clear if the connection is encrypted, or reaches nobody but this process or one of the
     * same user (over {@code ipc}).
     */
    SCRAM_SHA_256("SCRAM-SHA-256"),
    /** The same, but never bound: for networks with a device that decrypts, and encrypts again with another certificate. */
    SCRAM_SHA_256_UNBOUND("SCRAM-SHA-256"),
    /**
     * A user and a password in clear, on whatever connection: whoever reads it, or listens in the broker's place, has the
     * password.
     */
    PLAIN("PLAIN"),
    /** What the connection proves. */
    EXTERNAL("EXTERNAL"),
    /** A bearer token. It is sent only on a connection that is encrypted or cannot leave this machine. */
    OAUTHBEARER("OAUTHBEARER");

    private final String label;

    LogonMechanism(final String label) {
        this.label = label;
    }

    /**
     * The name in the protocol.
     *
     * @return empty for none.
     */
    public String label() {
        return label;
    }
}
