package io.penstock.spring.convert;

import io.penstock.client.Message;
import io.penstock.client.Publication;
import io.penstock.format.header.Headers;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.converter.SmartMessageConverter;
import org.springframework.messaging.support.MessageBuilder;

/** Makes Spring messages of messages of the client, and publications of objects. Safe on any thread. */
public final class MessageMapper {
    private static final String JACKSON_REMEDY =
            "add jackson-databind to the class path, or give the template a MessageConverter that knows the type; with Boot, as"
                    + " the bean " + PenstockConverters.BEAN_NAME;

    /** Texts and bytes are not converted, whatever the converter makes of them. */
    private static final TextMessageConverter TEXTS = new TextMessageConverter();

    private final MessageConverter converter;

    /**
     * Makes a mapper.
     *
     * @param converter of payloads.
     */
    public MessageMapper(final MessageConverter converter) {
        this.converter = converter;
    }

    /**
     * The converter of payloads.
     *
     * @return as given.
     */
    public MessageConverter converter() {
        return converter;
    }

    /**
     * A Spring message with the payload's bytes, the message's headers, and those of {@link PenstockHeaders}. Headers of the
     * message that have names of those, or of Spring's own headers, are left out.
     *
     * @param message that was delivered.
     * @param attempt how often the listener was called with it, from 1.
     * @param isWhole whether it has the key, which has to be read from the payload of most messages, and the bookmark.
     * @return a new message that shares the payload's bytes.
     */
    public static org.springframework.messaging.Message<byte[]> toSpring(
            final Message message, final int attempt, final boolean isWhole) {
        return toSpring(message, attempt, isWhole, null);
    }

    /**
     * A Spring message with another header.
     *
     * @param message  that was delivered.
     * @param attempt  how often the listener was called with it, from 1.
     * @param isWhole  as above.
     * @param delivery is {@link PenstockHeaders#DELIVERY} then; may be null.
     * @return a new message that shares the payload's bytes.
     */
    public static org.springframework.messaging.Message<byte[]> toSpring(
            final Message message, final int attempt, final boolean isWhole, final @Nullable Object delivery) {
        final Map<String, Object> headers = new HashMap<>(16);
        if (!message.headers().isEmpty()) {
            message.headers().toMap().forEach((name, value) -> {
                if (!isMade(name)) {
                    headers.put(name, value);
                }
            });
            final String contentType = message.headers().text(Headers.CONTENT_TYPE);
            if (contentType != null) {
                headers.put(MessageHeaders.CONTENT_TYPE, contentType);
            }
        }
        headers.put(PenstockHeaders.TOPIC, message.topic());
        headers.put(PenstockHeaders.KIND, message.kind());
        headers.put(PenstockHeaders.RAW, message);
        headers.put(PenstockHeaders.ATTEMPT, attempt);
        if (delivery != null) {
            headers.put(PenstockHeaders.DELIVERY, delivery);
        }
        if (isWhole) {
            headers.put(PenstockHeaders.BOOKMARK, message.bookmark());
            final String key = message.key();
            if (!key.isEmpty()) {
                headers.put(PenstockHeaders.KEY, key);
            }
        }
        return MessageBuilder.createMessage(
                message.bytes(), new DeliveryHeaders(headers, TimeUnit.NANOSECONDS.toMillis(message.timestampNs())));
    }

    /** Whether a header is made here, or by Spring: what a publisher calls so is not that, and would be taken for it. */
    private static boolean isMade(final String name) {
        return switch (name) {
            case MessageHeaders.ID,
                    MessageHeaders.TIMESTAMP,
                    MessageHeaders.CONTENT_TYPE,
                    MessageHeaders.REPLY_CHANNEL,
                    MessageHeaders.ERROR_CHANNEL -> true;
            default -> name.startsWith(PenstockHeaders.PREFIX);
        };
    }

    /**
     * Converts a payload.
     *
     * @param message that was delivered.
     * @param type    wanted.
     * @param <T>     wanted.
     * @return the object.
     * @throws MessageConversionException when no converter makes it, or the payload is none.
     */
    public <T> T payload(final Message message, final Class<T> type) {
        return type.cast(payload(toSpring(message, 1, false), message, type, null));
    }

    /**
     * Converts a payload.
     *
     * @param message as a Spring message.
     * @param raw     as it was delivered.
     * @param type    wanted.
     * @param hint    for converters that look at generic types; may be null.
     * @return the object.
     * @throws MessageConversionException when no converter makes it, or the payload is none.
     */
    public Object payload(
            final org.springframework.messaging.Message<?> message,
            final Message raw,
            final Class<?> type,
            final @Nullable Object hint) {
        if (type == Message.class) {
            return raw;
        }
        final Object asItIs = TEXTS.fromMessage(message, type);
        if (asItIs != null) {
            return asItIs;
        }
        final Object converted;
        try {
            converted = converter instanceof SmartMessageConverter smart
                    ? smart.fromMessage(message, type, hint)
                    : converter.fromMessage(message, type);
        } catch (final RuntimeException e) {
            // Also of media types that are none, which resolvers find in the headers.
            throw new MessageConversionException(
                    message,
                    raw + ": its payload is no " + type.getName() + ": " + LogText.of(String.valueOf(e.getMessage())),
                    e);
        }
        if (converted == null) {
            throw new MessageConversionException(
                    message, raw + ": no converter makes a " + type.getName() + " of it (" + JACKSON_REMEDY + ")");
        }
        return converted;
    }

    /**
     * Makes a publication.
     *
     * @param topic   to publish to.
     * @param payload text, bytes, a Spring message, or what the converter makes bytes or text of.
     * @return a new publication with what the headers of a Spring message say.
     * @throws MessageConversionException when no converter makes it.
     */
    public Publication toPublication(final String topic, final Object payload) {
        final Publication publication = Publication.to(topic);
        if (payload instanceof org.springframework.messaging.Message<?> message) {
            message.getHeaders().forEach((name, value) -> putHeader(publication, name, value));
            return publication.bytes(bytes(topic, message.getPayload()));
        }
        return publication.bytes(bytes(topic, payload));
    }

    private byte[] bytes(final String topic, final Object payload) {
        if (payload instanceof byte[] bytes) {
            return bytes;
        }
        if (payload instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        final org.springframework.messaging.Message<?> made = converter.toMessage(payload, null);
        if (made == null) {
            throw new MessageConversionException("send to " + topic + ": no converter takes a "
                    + payload.getClass().getName() + " (" + JACKSON_REMEDY + ")");
        }
        final Object converted = made.getPayload();
        if (converted instanceof byte[] bytes) {
            return bytes;
        }
        if (converted instanceof CharSequence text) {
            return text.toString().getBytes(StandardCharsets.UTF_8);
        }
        throw new MessageConversionException("send to " + topic + ": the converter made a "
                + converted.getClass().getName() + " of a "
                + payload.getClass().getName() + " (give one that makes bytes or text)");
    }

    /**
     * Adds a header of a Spring message: texts, integers and bytes; of others their text.
     *
     * @param publication to add to.
     * @param name        of the header; id, timestamp and those of this module that are made for listeners are left out.
     * @param value       of the header.
     */
    public static void putHeader(final Publication publication, final String name, final Object value) {
        switch (name) {
            case PenstockHeaders.KEY -> publication.key(value.toString());
            case PenstockHeaders.EXPIRATION -> publication.expiration((Duration) value);
            case PenstockHeaders.DELTA -> {
                if (Boolean.TRUE.equals(value)) {
                    publication.delta();
                }
            }
            case MessageHeaders.CONTENT_TYPE -> publication.header(Headers.CONTENT_TYPE, value.toString());
            case MessageHeaders.ID,
                    MessageHeaders.TIMESTAMP,
                    MessageHeaders.REPLY_CHANNEL,
                    MessageHeaders.ERROR_CHANNEL -> {
                // They are about the Spring message, and go nowhere.
            }
            default -> {
                if (!name.startsWith(PenstockHeaders.PREFIX)) {
                    addHeader(publication, name, value);
                }
            }
        }
    }

    /**
     * Adds a header as it is named, whatever the name means in a Spring message.
     *
     * @param publication to add to.
     * @param name        of the header.
     * @param value       a text, an integer or bytes; of anything else its text.
     */
    public static void addHeader(final Publication publication, final String name, final Object value) {
        if (value instanceof byte[] bytes) {
            publication.header(name, bytes);
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            publication.header(name, ((Number) value).longValue());
        } else {
            publication.header(name, value.toString());
        }
    }
}
