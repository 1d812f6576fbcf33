package io.penstock.client;

import io.penstock.format.FieldSelection;
import io.penstock.format.KeyTexts;
import io.penstock.format.MessageFormats;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Internal: how the topics that a client gets messages of make their keys, as the broker says. Safe on any thread. */
public final class TopicKeys {
    private static final String PUBLISHER_KEY = "*";
    private static final String VIEW_PREFIX = "=";

    private final Map<String, TopicKey> byName = new ConcurrentHashMap<>();

    /** Internal: knows no topic yet. */
    public TopicKeys() {}

    /** Internal: the broker describes a topic. */
    public void put(final String topic, final String format, final String key) {
        if (key.isEmpty() || key.endsWith(PUBLISHER_KEY)) {
            byName.remove(topic);
        } else {
            byName.put(topic, new TopicKey(format, key));
        }
    }

    /** The key of a message with its headers after it; empty when it is not known how it is made. */
    String text(
            final String topic,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int headersLength) {
        final TopicKey key = byName.get(topic);
        return key == null ? "" : key.text(buffer, offset, length, headersLength);
    }

    /** The key of one topic. What reads it is made for the first message that is asked for its key. */
    private static final class TopicKey {
        private final String format;
        private final String key;
        private @Nullable KeyTexts texts;
        private boolean isUnknown;

        TopicKey(final String format, final String key) {
            this.format = format;
            this.key = key;
        }

        synchronized String text(
                final DirectBuffer buffer, final int offset, final int length, final int headersLength) {
            KeyTexts reader = texts;
            if (reader == null && !isUnknown) {
                reader = newTexts();
                texts = reader;
                isUnknown = reader == null;
            }
            final String text = reader == null ? null : reader.read(buffer, offset, length, headersLength);
            return text == null ? "" : text;
        }

        private @Nullable KeyTexts newTexts() {
            final String fields = key.startsWith(VIEW_PREFIX) ? key.substring(VIEW_PREFIX.length()) : key;
            try {
                return new KeyTexts(
                        MessageFormats.formatFor(format),
                        fields.isEmpty() ? FieldSelection.NONE : FieldSelection.parse(fields));
            } catch (final IllegalArgumentException e) {
                // A format, or a way to write a key, that only the broker knows.
                return null;
            }
        }
    }
}
