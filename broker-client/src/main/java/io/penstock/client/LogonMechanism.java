package io.penstock.client;

/** A way to prove who a client is. */
public enum LogonMechanism {
    /** No proof: the client is anonymous. */
    NONE(""),
    /**
     * A user and a password that is never sent; the broker has to prove that it knows the user. A broker that only knows
     * {@link #PLAIN} gets the password in clear if the connection is encrypted or cannot leave this machine.
     */
    SCRAM_SHA_256("SCRAM-SHA-256"),
    /** A user and a password in clear, on whatever connection. */
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
