package io.penstock.spring.boot.failure;

import io.penstock.client.ConnectionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** No broker could be reached by a start that demands one. */
final class ConnectionFailureAnalyzer extends AbstractFailureAnalyzer<ConnectionException> {
    @Override
    protected FailureAnalysis analyze(final Throwable rootFailure, final ConnectionException cause) {
        return new FailureAnalysis(
                "The Penstock client is not connected: " + cause.getMessage(),
                "Start a broker there, or set penstock.servers to where one is. With penstock.fail-fast=false the"
                        + " application starts without a broker, and connects in the background.",
                cause);
    }
}
