package io.penstock.spring.convert;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.support.MessageBuilder;

/** Texts are their UTF-8, and bytes are themselves, whatever the content type: both are messages as they are. */
public final class TextMessageConverter implements MessageConverter {
    @Override
    public @Nullable Object fromMessage(final Message<?> message, final Class<?> targetClass) {
        if (!(message.getPayload() instanceof byte[] bytes)) {
            return null;
        }
        if (targetClass == byte[].class) {
            return bytes;
        }
        return targetClass == String.class || targetClass == CharSequence.class
                ? new String(bytes, StandardCharsets.UTF_8)
                : null;
    }

    @Override
    public @Nullable Message<?> toMessage(final Object payload, final @Nullable MessageHeaders headers) {
        final byte[] bytes;
        if (payload instanceof CharSequence text) {
            bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        } else if (payload instanceof byte[] given) {
            bytes = given;
        } else {
            return null;
        }
        return MessageBuilder.createMessage(bytes, headers == null ? new MessageHeaders(null) : headers);
    }
}
