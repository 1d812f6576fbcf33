package io.penstock.spring.handler;

import io.penstock.client.Bookmark;
import io.penstock.client.Message;
import io.penstock.client.RecordKind;
import io.penstock.format.header.Headers;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.listener.Acknowledgment;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.template.PenstockRecord;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.messaging.support.MessageHeaderAccessor;

/**
 * What a method wants to be called with, checked.
 *
 * @param payloadType the class of its payload; {@link Object} when it takes none.
 * @param needsWhole  whether it may look at the key or the bookmark as headers.
 * @param hasResult   whether it may return something to be sent.
 * @param sendTo      where its result goes unless the message asks for a reply; null for nowhere.
 */
record Signature(
        Class<?> payloadType,
        boolean needsWhole,
        boolean hasResult,
        @Nullable String sendTo) {
    private static final byte[] PROBE = "{}".getBytes(StandardCharsets.UTF_8);

    /** Taken from the delivery, whatever the payload is. */
    private static final Set<Class<?>> OF_DELIVERY = Set.of(
            Delivery.class, Acknowledgment.class, Message.class, RecordKind.class, Bookmark.class, Headers.class);

    private static final Set<Class<?>> KNOWN_PAYLOADS =
            Set.of(Object.class, String.class, CharSequence.class, byte[].class, Message.class);

    /**
     * Checks a method.
     *
     * @param resolvers of the program, for parameters that are neither of the delivery nor the payload.
     */
    static Signature of(
            final Method method,
            final boolean isBatch,
            final MessageConverter converter,
            final List<HandlerMethodArgumentResolver> resolvers) {
        return isBatch ? ofBatch(method, converter, resolvers) : ofSingle(method, converter, resolvers);
    }

    private static boolean isOfProgram(
            final MethodParameter parameter, final List<HandlerMethodArgumentResolver> resolvers) {
        return resolvers.stream().anyMatch(resolver -> resolver.supportsParameter(parameter));
    }

    private static Signature ofSingle(
            final Method method,
            final MessageConverter converter,
            final List<HandlerMethodArgumentResolver> resolvers) {
        MethodParameter payload = null;
        boolean needsWhole = false;
        for (int i = 0; i < method.getParameterCount(); i++) {
            final MethodParameter parameter = new MethodParameter(method, i);
            final Class<?> type = parameter.getParameterType();
            if (OF_DELIVERY.contains(type) && !parameter.hasParameterAnnotation(Payload.class)) {
                continue;
            }
            if (isOfHeaders(parameter)) {
                final Header header = parameter.getParameterAnnotation(Header.class);
                needsWhole |= header == null
                        || List.of(PenstockHeaders.KEY, PenstockHeaders.BOOKMARK)
                                .contains(name(header));
                continue;
            }
            if (isOfProgram(parameter, resolvers)) {
                // It may look at any header.
                needsWhole = true;
                continue;
            }
            if (payload != null) {
                throw new ListenerAttributeException(
                        "method",
                        "has two parameters for the payload: " + payload.getParameter() + ", "
                                + parameter.getParameter(),
                        "keep one, or annotate the other with @Header");
            }
            payload = parameter;
            needsWhole |= org.springframework.messaging.Message.class.isAssignableFrom(type);
        }
        final Class<?> payloadType = payload == null ? Object.class : payloadType(payload);
        checkConverter(payloadType, converter);
        return new Signature(payloadType, needsWhole, method.getReturnType() != void.class, null);
    }

    private static String name(final Header header) {
        return header.name().isEmpty() ? header.value() : header.name();
    }

    private static boolean isOfHeaders(final MethodParameter parameter) {
        final Class<?> type = parameter.getParameterType();
        return parameter.hasParameterAnnotation(Header.class)
                || parameter.hasParameterAnnotation(org.springframework.messaging.handler.annotation.Headers.class)
                || type == MessageHeaders.class
                || MessageHeaderAccessor.class.isAssignableFrom(type);
    }

    private static Class<?> payloadType(final MethodParameter parameter) {
        final ResolvableType type = ResolvableType.forMethodParameter(parameter);
        return org.springframework.messaging.Message.class.isAssignableFrom(parameter.getParameterType())
                        || parameter.getParameterType() == PenstockRecord.class
                ? type.getGeneric(0).resolve(Object.class)
                : parameter.getParameterType();
    }

    private static Signature ofBatch(
            final Method method,
            final MessageConverter converter,
            final List<HandlerMethodArgumentResolver> resolvers) {
        Class<?> element = null;
        for (int i = 0; i < method.getParameterCount(); i++) {
            final MethodParameter parameter = new MethodParameter(method, i);
            if (parameter.getParameterType() == Acknowledgment.class || isOfProgram(parameter, resolvers)) {
                continue;
            }
            if (parameter.getParameterType() != List.class || element != null) {
                throw new ListenerAttributeException(
                        "batch",
                        "does not go with the parameter " + parameter.getParameter(),
                        "take one list, and an Acknowledgment if need be");
            }
            element = BatchArgumentResolver.payloadType(
                    ResolvableType.forMethodParameter(parameter).getGeneric(0));
        }
        if (element == null) {
            throw new ListenerAttributeException(
                    "batch", "needs a method that takes a list", "add a parameter such as List<Order>");
        }
        checkConverter(element, converter);
        return new Signature(element, false, false, null);
    }

    Signature to(final @Nullable String topic) {
        return new Signature(payloadType, needsWhole, hasResult, topic);
    }

    /** A converter that knows a type fails with an empty object or makes one; one that does not know it makes nothing. */
    private static void checkConverter(final Class<?> type, final MessageConverter converter) {
        if (KNOWN_PAYLOADS.contains(type)) {
            return;
        }
        try {
            if (converter.fromMessage(MessageBuilder.withPayload(PROBE).build(), type) != null) {
                return;
            }
        } catch (final RuntimeException e) {
            // Also of a converter that needs more than a payload.
            return;
        }
        throw new ListenerAttributeException(
                "method",
                "takes a payload that no converter makes: " + type.getName(),
                "add jackson-databind to the class path, or give the template a MessageConverter that knows it; with Boot,"
                        + " as the bean " + PenstockConverters.BEAN_NAME);
    }
}
