package io.penstock.broker.shard.feed;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.match.TopicFields;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.protocol.RecordDescriptor;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The filters of cursors that read a log together: equal ones are evaluated once a record, and all of one topic read its
 * fields once together. Confined to the cursors' agent.
 */
final class CursorFilters {
    private final Int2ObjectHashMap<OfTopic> byTopic = new Int2ObjectHashMap<>();

    /** Finds a filter on the messages of a topic, or compiles it. To be given back. */
    Shared take(final Topic topic, final String text) {
        OfTopic ofTopic = byTopic.get(topic.id());
        if (ofTopic == null) {
            ofTopic = new OfTopic(topic.format());
            byTopic.put(topic.id(), ofTopic);
        }
        final Shared shared = ofTopic.take(text);
        shared.userCount++;
        return shared;
    }

    /** A user of a filter has no more need of it. */
    void giveBack(final Topic topic, final Shared shared) {
        final OfTopic ofTopic = byTopic.get(topic.id());
        if (--shared.userCount == 0 && ofTopic != null && ofTopic.remove(shared)) {
            byTopic.remove(topic.id());
        }
    }

    /** A filter, and what it said of the last record. */
    static final class Shared {
        private final OfTopic ofTopic;
        private final String text;
        private final Filter filter;
        private final int[] slots;
        private int userCount;
        private long sequence;
        private boolean matched;

        private Shared(final OfTopic ofTopic, final String text, final Filter filter, final int[] slots) {
            this.ofTopic = ofTopic;
            this.text = text;
            this.filter = filter;
            this.slots = slots;
        }

        /** Whether a message, which lies in its record, satisfies it. */
        boolean matches(final DirectBuffer buffer, final int offset, final int length, final long ofSequence) {
            if (sequence != ofSequence) {
                matched = filter.matches(ofTopic.read(buffer, offset, length, ofSequence), slots);
                sequence = ofSequence;
            }
            return matched;
        }
    }

    private static final class OfTopic {
        private final Map<String, Shared> byText = new HashMap<>();
        private final TopicFields fields;
        private long sequence;

        OfTopic(final MessageFormat format) {
            fields = new TopicFields(format.newReader());
        }

        Shared take(final String text) {
            final Shared known = byText.get(text);
            if (known != null) {
                return known;
            }
            final Filter filter = FilterCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS);
            final Shared shared = new Shared(this, text, filter, fields.take(filter.ownFields()));
            byText.put(text, shared);
            // New fields are read from the next wrap on.
            sequence = 0;
            return shared;
        }

        /** Returns whether it was the last one. */
        boolean remove(final Shared shared) {
            byText.remove(shared.text);
            fields.give(shared.filter.ownFields());
            sequence = 0;
            return byText.isEmpty();
        }

        FieldReader read(final DirectBuffer buffer, final int offset, final int length, final long ofSequence) {
            final FieldReader reader = fields.reader(0);
            if (sequence != ofSequence) {
                if (fields.readsHeaders()) {
                    reader.headers(
                            buffer,
                            offset + length,
                            RecordDescriptor.headersLength(buffer, offset - RecordDescriptor.HEADER_LENGTH));
                }
                reader.wrap(buffer, offset, length);
                sequence = ofSequence;
            }
            return reader;
        }
    }
}
