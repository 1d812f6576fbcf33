package io.penstock.spring.boot.failure;

import io.penstock.spring.listener.ListenerStartException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A listener or a mirror cannot start: its filter, for example, is wrong. */
final class ListenerFailureAnalyzer extends AbstractFailureAnalyzer<ListenerStartException> {
    @Override
    protected FailureAnalysis analyze(final Throwable rootFailure, final ListenerStartException cause) {
        final String what =
                cause.attribute().isEmpty() ? "the annotation" : "the attribute '" + cause.attribute() + "'";
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()), "Change " + what + " of " + cause.listener() + ".", cause);
    }
}
