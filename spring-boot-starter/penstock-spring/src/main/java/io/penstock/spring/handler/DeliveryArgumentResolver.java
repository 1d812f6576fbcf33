package io.penstock.spring.handler;

import io.penstock.client.Bookmark;
import io.penstock.client.Message;
import io.penstock.client.RecordKind;
import io.penstock.format.header.Headers;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.convert.MessageMapper;
import io.penstock.spring.listener.Acknowledgment;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.template.PenstockRecord;
import java.util.Objects;
import java.util.Set;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Arguments that are known of a delivery: the message, its place, its kind, its headers, its acknowledgment. */
final class DeliveryArgumentResolver implements HandlerMethodArgumentResolver {
    private static final Set<Class<?>> TYPES = Set.of(
            Delivery.class,
            Acknowledgment.class,
            Message.class,
            RecordKind.class,
            Bookmark.class,
            Headers.class,
            PenstockRecord.class);

    private final MessageMapper mapper;
    private final PayloadValidation validation;

    DeliveryArgumentResolver(final MessageMapper mapper, final PayloadValidation validation) {
        this.mapper = mapper;
        this.validation = validation;
    }

    @Override
    public boolean supportsParameter(final MethodParameter parameter) {
        return TYPES.contains(parameter.getParameterType())
                && !parameter.hasParameterAnnotation(Header.class)
                && !parameter.hasParameterAnnotation(Payload.class);
    }

    @Override
    public Object resolveArgument(
            final MethodParameter parameter, final org.springframework.messaging.Message<?> message) {
        final Delivery delivery = (Delivery)
                Objects.requireNonNull(message.getHeaders().get(PenstockHeaders.DELIVERY), "set by the listener");
        final Message raw = delivery.message();
        final Class<?> type = parameter.getParameterType();
        if (type == Message.class) {
            return raw;
        }
        if (type == RecordKind.class) {
            return raw.kind();
        }
        if (type == Bookmark.class) {
            return raw.bookmark();
        }
        if (type == Headers.class) {
            return raw.headers();
        }
        if (type == PenstockRecord.class) {
            final Class<?> payloadType =
                    ResolvableType.forMethodParameter(parameter).getGeneric(0).resolve(Object.class);
            final Object payload = payloadType == Object.class
                    ? raw.bytes()
                    : mapper.payload(message, raw, payloadType, parameter.nested());
            validation.check(payload, parameter, message);
            return new PenstockRecord<>(payload, raw);
        }
        return delivery;
    }
}
