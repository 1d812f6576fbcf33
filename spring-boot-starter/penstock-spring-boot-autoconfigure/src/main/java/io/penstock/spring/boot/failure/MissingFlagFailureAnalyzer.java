package io.penstock.spring.boot.failure;

import io.penstock.transport.RequiredFlags;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Neither the native library nor a flag lets the client read memory. */
final class MissingFlagFailureAnalyzer extends AbstractFailureAnalyzer<IllegalStateException> {
    @Override
    protected @Nullable FailureAnalysis analyze(final Throwable rootFailure, final IllegalStateException cause) {
        final String message = String.valueOf(cause.getMessage());
        return message.contains(RequiredFlags.ADD_EXPORTS)
                ? new FailureAnalysis(
                        message,
                        "Start the JVM with " + RequiredFlags.ADD_EXPORTS
                                + ". An IDE and spring-boot:run take it as a JVM"
                                + " argument; an executable jar can have 'Add-Exports: java.base/jdk.internal.misc' in its"
                                + " manifest.",
                        cause)
                : null;
    }
}
