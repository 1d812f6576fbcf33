package io.penstock.spring.boot.failure;

import io.penstock.spring.boot.embedded.EmbeddedBrokerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The embedded broker did not start. */
final class EmbeddedBrokerFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedBrokerException> {
    @Override
    protected FailureAnalysis analyze(final Throwable rootFailure, final EmbeddedBrokerException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Look at penstock.embedded.listen and penstock.embedded.journal-directory: another process may use the"
                        + " port or the directory.",
                cause);
    }
}
