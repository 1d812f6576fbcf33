package io.penstock.broker.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.format.KeyReader;
import io.penstock.format.MessageFormat;
import org.jspecify.annotations.Nullable;

/**
 * A named stream of messages in one shard. Immutable.
 *
 * @param shard  that holds it.
 * @param id     dense within the shard, from 0.
 * @param name   of the topic.
 * @param format of its messages.
 * @param state  how it keeps the last value of each key, or null when it keeps none.
 */
public record Topic(
        int shard,
        int id,
        String name,
        MessageFormat format,
        @Nullable StateRule state) {
    /** Longest name in bytes of UTF-8. */
    public static final int NAME_LENGTH_MAX = 255;

    /**
     * Makes a reader of its messages' keys.
     *
     * @return the reader, or null when messages do not have the key in them, or there is none.
     */
    public @Nullable KeyReader newKeyReader() {
        final StateRule rule = state;
        if (rule == null || rule.isPublisherKey()) {
            return null;
        }
        return rule.isView() ? KeyReader.ofRows(format, rule.keyFields()) : new KeyReader(format, rule.keyFields());
    }

    /**
     * The reader of keys from texts that commands give.
     *
     * @param ofMessages the reader of its messages' keys, or null.
     * @return the same one, unless headers are part of the key.
     */
    public @Nullable KeyReader keyTextReader(final @Nullable KeyReader ofMessages) {
        final StateRule rule = state;
        return rule == null || ofMessages == null || !ofMessages.readsHeaders()
                ? ofMessages
                : KeyReader.ofTexts(format, rule.keyFields());
    }

    /**
     * Checks a name.
     *
     * @param name to check.
     * @return null when it is good, else what is wrong with it.
     */
    public static @Nullable String checkName(final String name) {
        if (name.isEmpty()) {
            return "topic: empty name (use 1 to " + NAME_LENGTH_MAX + " bytes)";
        }
        if (name.getBytes(UTF_8).length > NAME_LENGTH_MAX) {
            return "topic: name too long: " + name.getBytes(UTF_8).length + " bytes (use 1 to " + NAME_LENGTH_MAX + ")";
        }
        for (int i = 0; i < name.length(); i++) {
            final char c = name.charAt(i);
            if (Character.isISOControl(c)) {
                return String.format("topic: control character U+%04X in its name at %d (leave it out)", (int) c, i);
            }
            if (c == '\uFFFD') {
                return "topic: name is not UTF-8 text at " + i + " (encode it as UTF-8)";
            }
        }
        return null;
    }
}
