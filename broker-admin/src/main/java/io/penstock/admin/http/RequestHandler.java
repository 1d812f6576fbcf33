package io.penstock.admin.http;

/** Answers requests. Called on the server's thread, which it must not block. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Answers a request now or later, on any thread.
     *
     * @param exchange to be answered once.
     * @throws ProblemException when it cannot be; the exchange is answered with the problem.
     */
    void handle(Exchange exchange);
}
