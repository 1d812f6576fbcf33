package io.penstock.broker.session.client;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import io.penstock.format.ValidatingReader;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages that are published: validates them, reads what their publishers' permissions ask about, and reads their
 * keys. The bytes are passed once, by {@link #validate}, where the format can. Confined to one I/O agent, whose topics and
 * clients share it if all of that is the same; allocates nothing for a message that is taken.
 */
public final class MessageIntake {
    private final ValidatingReader reader;

    /** What messages have to satisfy; null when all may be published. */
    private final @Nullable Filter condition;

    /** Fields that the condition reads: the reader's first ones. */
    private final int conditionFieldCount;

    private final boolean readsHeaders;
    private final @Nullable KeyReader key;

    private MessageIntake(final MessageFormat format, final String conditionText, final FieldSelection keyFields) {
        final FieldSet fields = new FieldSet();
        condition =
                conditionText.isEmpty() ? null : FilterCompiler.compile(conditionText, fields, FilterLimits.COMBINED);
        conditionFieldCount = fields.count();
        keyFields.paths().forEach(fields::slotOf);
        readsHeaders = fields.hasHeaders();
        reader = RecordReader.validating(format, fields, conditionFieldCount);
        key = keyFields.paths().isEmpty() ? null : KeyReader.of(reader, fields, keyFields);
    }

    /** Makes one of a kind. */
    static MessageIntake of(final Kind kind) {
        final FieldSelection keyFields = kind.key.isEmpty() ? FieldSelection.NONE : FieldSelection.parse(kind.key);
        return new MessageIntake(kind.format, kind.condition, keyFields);
    }

    /**
     * Validates a message, and moves to it.
     *
     * @param headersLength of the headers behind it, which were checked, in bytes; 0 for none.
     * @return null when it is valid, else what is wrong, for its publisher.
     */
    public @Nullable String validate(
            final DirectBuffer buffer, final int offset, final int length, final int headersLength) {
        if (readsHeaders) {
            reader.headers(buffer, offset + length, headersLength);
        }
        return reader.validate(buffer, offset, length);
    }

    /**
     * Whether the valid message may be published. A message in which one of the fields that are asked about is an array, or
     * stands twice, may not: it could be one thing to the broker, and another to those who get it. Who publishes within the
     * same limits each time mostly sends the same values: what was allowed with them is allowed again.
     */
    public boolean isAllowed() {
        final Filter asked = condition;
        if (asked == null || (reader.areRemembered() && reader.areUnique())) {
            return true;
        }
        final boolean isAllowed = asked.matches(reader) && !hasArray() && reader.areUnique();
        if (isAllowed) {
            reader.remember();
        }
        return isAllowed;
    }

    private boolean hasArray() {
        for (int slot = 0; slot < conditionFieldCount; slot++) {
            if (reader.type(slot) == FieldType.ARRAY) {
                return true;
            }
        }
        return false;
    }

    /** Reads the key of the valid message by {@link KeyReader#read()}; null when messages have no key in them. */
    public @Nullable KeyReader key() {
        return key;
    }

    /**
     * What decides how messages are taken.
     *
     * @param format    of the messages.
     * @param condition in canonical form; empty when all may be published.
     * @param key       fields of the key as a text; empty when messages have no key in them.
     */
    record Kind(MessageFormat format, String condition, String key) {
        /** The kind of messages to a topic that have to satisfy a condition; null when none may be published. */
        static Kind of(final Topic topic, final @Nullable String condition) {
            final StateRule rule = topic.state();
            final String key = rule == null || rule.isView() || rule.isPublisherKey() ? "" : rule.key();
            return new Kind(topic.format(), condition == null ? "" : condition, key);
        }
    }
}
