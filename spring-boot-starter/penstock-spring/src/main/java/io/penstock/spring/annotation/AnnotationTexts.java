package io.penstock.spring.annotation;

import io.penstock.spring.listener.ListenerAttributeException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Resolves placeholders and expressions in texts of annotations. Each refusal names the attribute. */
final class AnnotationTexts {
    private final EmbeddedValueResolver resolver;

    AnnotationTexts(final ConfigurableBeanFactory beans) {
        resolver = new EmbeddedValueResolver(beans);
    }

    String text(final String attribute, final String value) {
        if (value.isEmpty()) {
            return "";
        }
        try {
            final String resolved = resolver.resolveStringValue(value);
            if (resolved != null && resolved.contains("${")) {
                // Without a configurer of placeholders, the context leaves unknown ones as they are.
                throw new IllegalArgumentException("there is no such property");
            }
            return resolved == null ? "" : resolved;
        } catch (final BeansException | IllegalArgumentException e) {
            throw new ListenerAttributeException(
                    attribute,
                    "cannot be resolved: " + value,
                    "define the property, or correct the expression: " + e.getMessage());
        }
    }

    @Nullable
    Long number(final String attribute, final String value) {
        final String text = text(attribute, value).strip();
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (final NumberFormatException e) {
            throw new ListenerAttributeException(attribute, "is no integer: " + text, "use one such as 4");
        }
    }

    Duration duration(final String attribute, final String value, final Duration missing) {
        final String text = text(attribute, value).strip();
        if (text.isEmpty()) {
            return missing;
        }
        try {
            return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
        } catch (final IllegalArgumentException | ArithmeticException e) {
            throw new ListenerAttributeException(
                    attribute, "is no duration: " + text, "use milliseconds, or one such as 500ms or PT0.5S");
        }
    }
}
