package io.penstock.spring.boot.failure;

import io.penstock.spring.boot.PenstockConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A property has a value that cannot be used. */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<PenstockConfigurationException> {
    @Override
    protected FailureAnalysis analyze(final Throwable rootFailure, final PenstockConfigurationException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()), "Change the property " + cause.property() + ".", cause);
    }
}
