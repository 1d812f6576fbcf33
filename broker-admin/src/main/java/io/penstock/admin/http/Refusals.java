package io.penstock.admin.http;

/** Is notified of requests that were refused, and of failures. Called on the server's thread. */
public interface Refusals {
    /**
     * A request was refused.
     *
     * @param peer    that sent it.
     * @param problem that it was told.
     */
    void onRefused(String peer, Problem problem);

    /**
     * The server has failed at a request.
     *
     * @param error that was thrown.
     */
    void onError(Throwable error);
}
