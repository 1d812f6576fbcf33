package io.penstock.spring.boot.failure;

import io.penstock.client.ConnectionException;
import io.penstock.spring.listener.ListenerStartException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** No broker could be reached by a start that demands one, or it has refused the client. */
final class ConnectionFailureAnalyzer extends AbstractFailureAnalyzer<ConnectionException> {
    @Override
    protected @Nullable FailureAnalysis analyze(final Throwable rootFailure, final ConnectionException cause) {
        if (findCause(rootFailure, ListenerStartException.class) != null) {
            // Of a mirror, which is named then.
            return null;
        }
        return new FailureAnalysis(
                "The Penstock client is not connected: " + cause.getMessage(),
                ConnectionRemedy.of(cause)
                        + " With penstock.fail-fast=false the application starts without a broker, and"
                        + " connects in the background.",
                cause);
    }
}
