package io.penstock.broker.agent;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.FilterLimits;
import io.penstock.broker.format.FieldReader;
import io.penstock.broker.format.FieldSet;
import io.penstock.broker.format.MessageFormat;
import io.penstock.broker.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The filters of cursors that read a log together: equal ones are evaluated once a record, and all of one topic read its
 * fields once together. Confined to the cursors' agent.
 */
final class CursorFilters {
    /** Fields that no filter reads any more are dropped when there are this many more than there were. */
    private static final int FIELD_GARBAGE_MAX = 256;

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
        private Filter filter;
        private int userCount;
        private long sequence;
        private boolean matched;

        private Shared(final OfTopic ofTopic, final String text, final Filter filter) {
            this.ofTopic = ofTopic;
            this.text = text;
            this.filter = filter;
        }

        /** Whether a message satisfies it. */
        boolean matches(final DirectBuffer buffer, final int offset, final int length, final long ofSequence) {
            if (sequence != ofSequence) {
                matched = filter.matches(ofTopic.read(buffer, offset, length, ofSequence));
                sequence = ofSequence;
            }
            return matched;
        }
    }

    private static final class OfTopic {
        private final MessageFormat format;
        private final List<Shared> filters = new ArrayList<>();
        private FieldSet fields = new FieldSet();
        private @Nullable FieldReader reader;
        private int fieldCountKept;
        private long sequence;

        OfTopic(final MessageFormat format) {
            this.format = format;
        }

        Shared take(final String text) {
            for (final Shared shared : filters) {
                if (shared.text.equals(text)) {
                    return shared;
                }
            }
            if (fields.count() - fieldCountKept > FIELD_GARBAGE_MAX) {
                recompile();
            }
            final Shared shared = new Shared(this, text, compile(text));
            filters.add(shared);
            reader = null;
            return shared;
        }

        /** Returns whether it was the last one. */
        boolean remove(final Shared shared) {
            filters.remove(shared);
            return filters.isEmpty();
        }

        FieldReader read(final DirectBuffer buffer, final int offset, final int length, final long ofSequence) {
            FieldReader present = reader;
            if (present == null) {
                present = format.newReader(fields);
                reader = present;
                sequence = 0;
            }
            if (sequence != ofSequence) {
                present.wrap(buffer, offset, length);
                sequence = ofSequence;
            }
            return present;
        }

        private Filter compile(final String text) {
            return FilterCompiler.compile(text, fields, FilterLimits.DEFAULTS);
        }

        private void recompile() {
            fields = new FieldSet();
            for (final Shared shared : filters) {
                shared.filter = compile(shared.text);
            }
            fieldCountKept = fields.count();
        }
    }
}
