package io.penstock.broker.security;

import io.penstock.broker.security.Authenticator.Logon;

/** On which connections a password may come in clear. */
public enum PlainPasswords {
    /** On none. */
    NEVER,
    /** On those that are encrypted or cannot leave this machine. */
    SECURE,
    /** On all: whoever can read the network, reads passwords. */
    ALWAYS;

    /**
     * Whether it may on the connection of a log-on.
     *
     * @param logon of the client.
     * @return true when it may.
     */
    public boolean allow(final Logon logon) {
        return this == ALWAYS
                || (this == SECURE && (logon.local() || logon.identity().isEncrypted()));
    }
}
