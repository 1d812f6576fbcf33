package io.penstock.spring.handler;

import io.penstock.client.Message;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.convert.MessageMapper;
import io.penstock.spring.listener.Acknowledgment;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.DeliveryException;
import io.penstock.spring.template.PenstockRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.support.MessageBuilder;

/** Arguments of methods that take batches: the list, converted, and the acknowledgment of all of it. */
final class BatchArgumentResolver implements HandlerMethodArgumentResolver {
    private final MessageMapper mapper;
    private final PayloadValidation validation;

    BatchArgumentResolver(final MessageMapper mapper, final PayloadValidation validation) {
        this.mapper = mapper;
        this.validation = validation;
    }

    /** Of a list's elements: what they themselves hold, or what they are. */
    static Class<?> payloadType(final ResolvableType element) {
        final Class<?> type = element.resolve(Object.class);
        if (type == Delivery.class) {
            return Object.class;
        }
        return type == PenstockRecord.class || org.springframework.messaging.Message.class.isAssignableFrom(type)
                ? element.getGeneric(0).resolve(Object.class)
                : type;
    }

    @Override
    public boolean supportsParameter(final MethodParameter parameter) {
        return parameter.getParameterType() == List.class || parameter.getParameterType() == Acknowledgment.class;
    }

    @Override
    @SuppressWarnings("unchecked") // The listener has put it there.
    public Object resolveArgument(
            final MethodParameter parameter, final org.springframework.messaging.Message<?> message) {
        final List<Delivery> deliveries = (List<Delivery>)
                Objects.requireNonNull(message.getHeaders().get(PenstockHeaders.DELIVERY), "set by the listener");
        if (parameter.getParameterType() == Acknowledgment.class) {
            return (Acknowledgment) () -> deliveries.forEach(Delivery::acknowledge);
        }
        final ResolvableType element =
                ResolvableType.forMethodParameter(parameter).getGeneric(0);
        final List<Object> elements = new ArrayList<>(deliveries.size());
        for (final Delivery delivery : deliveries) {
            try {
                final Object made = element(delivery, element, parameter);
                validation.check(payload(made), parameter, message);
                elements.add(made);
            } catch (final MessageConversionException | MethodArgumentNotValidException e) {
                throw DeliveryException.beforeCall(delivery, e);
            }
        }
        return elements;
    }

    private static Object payload(final Object element) {
        if (element instanceof PenstockRecord<?> record) {
            return record.payload();
        }
        return element instanceof org.springframework.messaging.Message<?> message ? message.getPayload() : element;
    }

    private Object element(final Delivery delivery, final ResolvableType element, final MethodParameter parameter) {
        final Class<?> type = element.resolve(Object.class);
        final Message raw = delivery.message();
        if (type == Delivery.class) {
            return delivery;
        }
        if (type == Message.class) {
            return raw;
        }
        final boolean isSpring = org.springframework.messaging.Message.class.isAssignableFrom(type);
        final org.springframework.messaging.Message<byte[]> message =
                MessageMapper.toSpring(raw, delivery.attempt(), isSpring, delivery);
        final Class<?> payloadType = payloadType(element);
        final MethodParameter elements = parameter.nested();
        final MethodParameter hint = isSpring || type == PenstockRecord.class ? elements.nested() : elements;
        final Object payload =
                payloadType == Object.class ? raw.bytes() : mapper.payload(message, raw, payloadType, hint);
        if (isSpring) {
            return MessageBuilder.createMessage(payload, message.getHeaders());
        }
        return type == PenstockRecord.class ? new PenstockRecord<>(payload, raw) : payload;
    }
}
