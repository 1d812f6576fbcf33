package io.penstock.broker.session.client;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import io.penstock.format.UniqueFields;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a client's messages to one topic have to satisfy. A message in which one of the fields is an array, or stands twice,
 * does not: it could be one thing to the broker, and another to those who get it. Confined to the client's I/O agent.
 */
final class PublishCondition {
    private final Filter filter;
    private final FieldReader reader;
    private final UniqueFields uniqueFields;

    private PublishCondition(final Filter filter, final FieldReader reader, final UniqueFields uniqueFields) {
        this.filter = filter;
        this.reader = reader;
        this.uniqueFields = uniqueFields;
    }

    /** Makes one of a text in canonical form; null when there is nothing to satisfy, or nothing may be published. */
    static @Nullable PublishCondition of(final @Nullable String text, final MessageFormat format) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        final FieldSet fields = new FieldSet();
        final Filter filter = FilterCompiler.compile(text, fields, FilterLimits.COMBINED);
        return new PublishCondition(filter, RecordReader.of(format, fields), format.newUniqueFields(fields));
    }

    /** Whether a message satisfies it, which is well formed, and has its headers behind it. */
    boolean holds(final DirectBuffer buffer, final int offset, final int length, final int headersLength) {
        reader.headers(buffer, offset + length, headersLength);
        reader.wrap(buffer, offset, length);
        return filter.matches(reader) && !hasArray() && uniqueFields.areUnique(buffer, offset, length);
    }

    private boolean hasArray() {
        for (int slot = 0, count = filter.fields().count(); slot < count; slot++) {
            if (reader.type(slot) == FieldType.ARRAY) {
                return true;
            }
        }
        return false;
    }
}
