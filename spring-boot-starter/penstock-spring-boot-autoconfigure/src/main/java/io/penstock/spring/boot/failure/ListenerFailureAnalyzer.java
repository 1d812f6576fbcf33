package io.penstock.spring.boot.failure;

import io.penstock.client.ConnectionException;
import io.penstock.spring.listener.ListenerStartException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A listener or a mirror cannot start: its filter, for example, is wrong, or there is no broker to load a mirror from. */
final class ListenerFailureAnalyzer extends AbstractFailureAnalyzer<ListenerStartException> {
    @Override
    protected FailureAnalysis analyze(final Throwable rootFailure, final ListenerStartException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), action(cause), cause);
    }

    private static String action(final ListenerStartException failure) {
        final String listener = failure.listener();
        if (failure.getCause() instanceof ConnectionException reason) {
            return ConnectionRemedy.of(reason) + " What " + listener
                    + " mirrors is loaded while the application starts, also with penstock.fail-fast=false; its attribute"
                    + " 'timeout' is how long the start waits for it.";
        }
        final String remedy = remedy(String.valueOf(failure.getMessage()));
        if (!remedy.isEmpty()) {
            return "For " + listener + ": " + remedy + ".";
        }
        return "Change "
                + (failure.attribute().isEmpty() ? "the annotation" : "the attribute '" + failure.attribute() + "'")
                + " of " + listener + ".";
    }

    /** Messages end with it, in parentheses. */
    private static String remedy(final String message) {
        int depth = 0;
        for (int i = message.length() - 1; i >= 0 && message.endsWith(")"); i--) {
            final char each = message.charAt(i);
            depth += each == ')' ? 1 : each == '(' ? -1 : 0;
            if (depth == 0) {
                final boolean isApart = i > 0 && message.charAt(i - 1) == ' ';
                return isApart ? message.substring(i + 1, message.length() - 1) : "";
            }
        }
        return "";
    }
}
