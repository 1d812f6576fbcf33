package io.penstock.admin.http;

/** Is notified of requests that were refused, and of failures. Called on the server's thread. */
public interface Refusals {
    /**
     * A request was refused.
     *
     * @param peer    that sent it.
     * @param user    that it was proved to be; empty when it was not.
     * @param problem that it was told.
     */
    void onRefused(String peer, String user, Problem problem);

    /**
     * A connection was ended for what it did with TLS.
     *
     * @param peer   that has connected.
     * @param reason why, and what helps, for people.
     */
    void onTlsFailed(String peer, String reason);

    /**
     * The server has failed at a request.
     *
     * @param error that was thrown.
     */
    void onError(Throwable error);
}
