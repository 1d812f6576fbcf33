package io.penstock.client;

/**
 * With what a client proves who it is. Immutable.
 *
 * @param mechanism by which it does.
 * @param user      that it logs on as; empty when the proof says so itself.
 * @param secret    the user's password, or a token; empty when the connection is the proof.
 */
public record LogonCredentials(LogonMechanism mechanism, String user, String secret) {
    /** None: an anonymous client. */
    public static final LogonCredentials NONE = new LogonCredentials(LogonMechanism.NONE, "", "");

    /**
     * A user and a password, which is proved without being sent.
     *
     * @param user     to log on as; empty for an anonymous client, which sends no password.
     * @param password of the user. One that is empty can only be sent as it is.
     * @return credentials for any number of connections.
     */
    public static LogonCredentials password(final String user, final String password) {
        if (user.isEmpty()) {
            // A password without a user proves nothing, and would be sent in clear.
            return NONE;
        }
        return new LogonCredentials(
                password.isEmpty() ? LogonMechanism.PLAIN : LogonMechanism.SCRAM_SHA_256,
                user,
                password);
    }

    /**
     * A bearer token, for example a JSON web token.
     *
     * @param token as it was issued.
     * @return credentials for one connection or several, until it expires.
     */
    public static LogonCredentials token(final String token) {
        return new LogonCredentials(LogonMechanism.OAUTHBEARER, "", token);
    }

    /** What the connection proves: the client's certificate, or with {@code ipc} the user that its process runs as. */
    public static LogonCredentials external() {
        return new LogonCredentials(LogonMechanism.EXTERNAL, "", "");
    }

    /** Does not show the secret. */
    @Override
    public String toString() {
        return "LogonCredentials[mechanism=" + mechanism + (user.isEmpty() ? "" : ", user=" + user) + "]";
    }
}
