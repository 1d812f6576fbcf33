package io.penstock.spring.handler;

import io.penstock.format.header.HeaderType;
import io.penstock.format.header.Headers;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.listener.PenstockMessageListener;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.converter.MessageConversionException;

/** Calls the method whose type a message names in its header. Only names of declared types are known. */
final class TypedListener implements PenstockMessageListener {
    private final Map<String, MethodListener> byType = new HashMap<>();
    private final @Nullable MethodListener other;

    TypedListener(final List<TypedMethod> methods, final Function<Method, MethodListener> maker) {
        if (methods.isEmpty()) {
            throw new ListenerAttributeException(
                    "class", "has no method that is called", "annotate at least one with @PenstockHandler");
        }
        MethodListener byDefault = null;
        for (final TypedMethod each : methods) {
            final MethodListener listener = maker.apply(each.method());
            if (each.isDefault()) {
                if (byDefault != null) {
                    throw new ListenerAttributeException(
                            "isDefault",
                            "is said of two methods: " + each.method().getName(),
                            "say it of one");
                }
                byDefault = listener;
            }
            add(each, listener);
        }
        other = byDefault == null && methods.size() == 1
                ? byType.values().iterator().next()
                : byDefault;
    }

    private void add(final TypedMethod each, final MethodListener listener) {
        if (!each.type().isEmpty()) {
            put(each.type(), each, listener);
            return;
        }
        final Class<?> payload = listener.payloadType();
        put(payload.getName(), each, listener);
        if (!payload.getSimpleName().equals(payload.getName())) {
            put(payload.getSimpleName(), each, listener);
        }
    }

    private void put(final String type, final TypedMethod each, final MethodListener listener) {
        if (byType.put(type, listener) != null) {
            throw new ListenerAttributeException(
                    "type",
                    "is that of two methods: " + type,
                    "give " + each.method().getName() + " another one");
        }
    }

    @Override
    public void onDeliveries(final List<Delivery> deliveries) throws Exception {
        for (final Delivery delivery : deliveries) {
            final String type = type(delivery);
            final MethodListener named = named(type);
            if (named == null) {
                throw new MessageConversionException(delivery + ": no method takes its type: "
                        + (type == null ? "it has no header " + PenstockHeaders.TYPE : LogText.of(type))
                        + " (use one of "
                        + byType.keySet() + ", or make a method the default)");
            }
            named.onDeliveries(List.of(delivery));
        }
    }

    private static @Nullable String type(final Delivery delivery) {
        final Headers headers = delivery.message().headers();
        return headers.type(PenstockHeaders.TYPE) == HeaderType.TEXT ? headers.text(PenstockHeaders.TYPE) : null;
    }

    private @Nullable MethodListener named(final @Nullable String type) {
        return type == null ? other : byType.getOrDefault(type, other);
    }

    @Override
    public void onGivenUp(final Delivery delivery, final Throwable reason) {
        final MethodListener named = named(type(delivery));
        if (named != null) {
            named.onGivenUp(delivery, reason);
        }
    }
}
