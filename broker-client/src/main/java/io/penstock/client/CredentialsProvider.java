package io.penstock.client;

/**
 * Says with what a client logs on, anew at each connection: a token may have expired since the last one. Called on the
 * client's own thread, or on the one that opens the session; it delays the connection for as long as it takes.
 */
@FunctionalInterface
public interface CredentialsProvider {
    /** The client proves nothing. */
    CredentialsProvider NONE = () -> LogonCredentials.NONE;

    /**
     * Asked before each log-on.
     *
     * @return what to log on with. What is thrown ends this attempt to connect, and its message is the reason.
     */
    LogonCredentials credentials();
}
