package io.penstock.broker.shard.state;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Reads records of the topic that a view is computed from, and says which it is about. Owned by the sequencer. */
final class ViewSource {
    private final @Nullable Filter filter;
    private final FieldReader reader;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private int length;

    /**
     * Compiles what the view is about.
     *
     * @param condition of the view; empty for all records.
     * @param format    of the records.
     */
    ViewSource(final String condition, final MessageFormat format) {
        final FieldSet fields = new FieldSet();
        filter = condition.isEmpty() ? null : FilterCompiler.compile(condition, fields, FilterLimits.DEFAULTS);
        reader = RecordReader.of(format, fields);
    }

    /** The record that was wrapped last, with its headers after it. */
    DirectBuffer message() {
        return message;
    }

    /** Length of the record, in bytes, without its headers. */
    int length() {
        return length;
    }

    int headersLength() {
        return message.capacity() - length;
    }

    /** Whether a version is one that the view is about; it is wrapped then. */
    boolean matches(final long version) {
        if (version == 0) {
            return false;
        }
        wrap(version);
        return passes();
    }

    /** Whether the message of a record in the log is one that the view is about; it is wrapped then. */
    boolean matches(final DirectBuffer record, final int offset) {
        length = RecordDescriptor.messageLength(record, offset);
        message.wrap(
                record,
                offset + RecordDescriptor.HEADER_LENGTH,
                length + RecordDescriptor.headersLength(record, offset));
        return passes();
    }

    private boolean passes() {
        if (filter == null) {
            return true;
        }
        reader.headers(message, length, headersLength());
        reader.wrap(message, 0, length);
        return filter.matches(reader);
    }

    /** Moves to a version and the headers after it. */
    void wrap(final long version) {
        Version.wrapContent(message, version);
        length = Version.messageLength(version);
    }
}
