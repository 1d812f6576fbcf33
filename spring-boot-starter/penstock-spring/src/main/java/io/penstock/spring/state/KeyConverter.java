package io.penstock.spring.state;

import io.penstock.client.Message;
import io.penstock.spring.convert.MessageMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.support.MessageBuilder;

/**
 * Makes keys of a map from keys of records. A key that its publisher gave is a text; one that is a message of a single key
 * field, such as {@code {"id":7}}, is that field's value; one of several fields is that message, as a text, or as an object
 * that the converter makes of it.
 */
final class KeyConverter {
    private final MessageMapper mapper;
    private final Class<?> type;
    private final ConversionService conversions = DefaultConversionService.getSharedInstance();

    KeyConverter(final MessageMapper mapper, final Class<?> type) {
        this.mapper = mapper;
        this.type = type;
    }

    KeyOwners.Key key(final Message message) {
        final String text = message.key();
        final Map<?, ?> fields = text.startsWith("{") ? fields(text) : null;
        if (fields != null && fields.size() == 1) {
            final Object value = fields.values().iterator().next();
            if (value != null) {
                return convert(message, value);
            }
        }
        if (fields != null && !type.isAssignableFrom(String.class)) {
            return new KeyOwners.Key(mapper.payload(toSpring(text), message, type, null), true);
        }
        return convert(message, text);
    }

    private @Nullable Map<?, ?> fields(final String text) {
        try {
            return (Map<?, ?>) mapper.converter().fromMessage(toSpring(text), Map.class);
        } catch (final MessageConversionException e) {
            // Of a publisher who gives such keys: a text like others.
            return null;
        }
    }

    private static org.springframework.messaging.Message<byte[]> toSpring(final String text) {
        return MessageBuilder.withPayload(text.getBytes(StandardCharsets.UTF_8)).build();
    }

    private KeyOwners.Key convert(final Message message, final Object value) {
        try {
            final Object converted = conversions.convert(value, type);
            if (converted != null) {
                return new KeyOwners.Key(converted, !converted.getClass().equals(value.getClass()));
            }
        } catch (final ConversionException e) {
            throw new MessageConversionException(message + ": its key is no " + type.getName() + ": " + value, e);
        }
        throw new MessageConversionException(message + ": its key is no " + type.getName() + ": " + value);
    }
}
