package io.penstock.spring.annotation;

import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.endpoint.PenstockListenerEndpoint.Overrides;
import io.penstock.spring.listener.AckMode;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.listener.ListenerSubscription;
import io.penstock.spring.listener.PenstockErrorHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.StringUtils;

/** The attributes of an annotation with their placeholders and expressions resolved. Each refusal names its attribute. */
final class ListenerAttributes {
    private final PenstockListener annotation;
    private final ConfigurableBeanFactory beans;
    private final AnnotationTexts texts;

    ListenerAttributes(final PenstockListener annotation, final ConfigurableBeanFactory beans) {
        this.annotation = annotation;
        this.beans = beans;
        texts = new AnnotationTexts(beans);
    }

    String id() {
        return texts.text("id", annotation.id());
    }

    boolean isBatch() {
        return annotation.batch();
    }

    ListenerSubscription subscription() {
        final String topic = texts.text("topic", annotation.topic());
        final String pattern = texts.text("pattern", annotation.pattern());
        if (!topic.isEmpty() && !pattern.isEmpty()) {
            throw new ListenerAttributeException("topic", "is given beside a pattern: " + topic, "give one of them");
        }
        final Long credit = texts.number("credit", annotation.credit());
        return (pattern.isEmpty() ? ListenerSubscription.topic(topic) : ListenerSubscription.pattern(pattern))
                .filter(texts.text("filter", annotation.filter()))
                .select(texts.text("select", annotation.select()))
                .sow(annotation.sow())
                .oof(annotation.oof())
                .delta(annotation.delta())
                .conflation(conflationMs())
                .durable(texts.text("durable", annotation.durable()))
                .from(texts.text("from", annotation.from()))
                .to(texts.text("to", annotation.to()))
                .credit(credit == null ? ListenerSubscription.CREDIT_DEFAULT : credit)
                .build();
    }

    private int conflationMs() {
        final Duration interval = texts.duration("conflation", annotation.conflation(), Duration.ZERO);
        try {
            return Math.toIntExact(interval.toMillis());
        } catch (final ArithmeticException e) {
            throw new ListenerAttributeException("conflation", "is too long: " + interval, "use less than 24 days");
        }
    }

    Overrides overrides() {
        final Long concurrency = texts.number("concurrency", annotation.concurrency());
        return new Overrides(
                concurrency == null ? null : (int) Math.max(0, Math.min(Integer.MAX_VALUE, concurrency)),
                ackMode(),
                bean("errorHandler", annotation.errorHandler(), PenstockErrorHandler.class),
                autoStartup());
    }

    private @Nullable AckMode ackMode() {
        final String text = texts.text("ackMode", annotation.ackMode());
        if (text.isEmpty()) {
            return null;
        }
        try {
            return AckMode.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (final IllegalArgumentException e) {
            throw new ListenerAttributeException(
                    "ackMode", "is unknown: " + text, "use one of " + Arrays.toString(AckMode.values()));
        }
    }

    private @Nullable Boolean autoStartup() {
        final String text = texts.text("autoStartup", annotation.autoStartup());
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "" -> null;
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new ListenerAttributeException("autoStartup", "is no truth value: " + text, "use true or false");
        };
    }

    @Nullable
    PenstockListenerContainerFactory containerFactory() {
        return bean("containerFactory", annotation.containerFactory(), PenstockListenerContainerFactory.class);
    }

    private <T> @Nullable T bean(final String attribute, final String value, final Class<T> type) {
        final String name = texts.text(attribute, value);
        if (!StringUtils.hasText(name)) {
            return null;
        }
        try {
            return beans.getBean(name, type);
        } catch (final BeansException e) {
            throw new ListenerAttributeException(
                    attribute, "is no bean: " + name, "declare one of type " + type.getName());
        }
    }
}
