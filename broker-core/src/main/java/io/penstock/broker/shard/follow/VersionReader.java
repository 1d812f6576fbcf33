package io.penstock.broker.shard.follow;

import io.penstock.broker.shard.match.TopicFields;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.FieldReader;
import io.penstock.format.MessageFormat;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads what a record was and what it is, for the filters of those who follow its topic. Owned by the sequencer. */
final class VersionReader {
    private static final int OLD = 0;
    private static final int NEW = 1;

    private final TopicFields fields;
    private final UnsafeBuffer oldMessage = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer newMessage = new UnsafeBuffer(0, 0);

    VersionReader(final MessageFormat format) {
        fields = new TopicFields(format.newReader(), format.newReader());
    }

    /** What the filters read. */
    TopicFields fields() {
        return fields;
    }

    /** Moves to what a record was; valid until the next call. */
    FieldReader readOld(final long version) {
        return read(fields.reader(OLD), oldMessage, version);
    }

    /** Moves to what a record is; valid until the next call. */
    FieldReader readNew(final long version) {
        return read(fields.reader(NEW), newMessage, version);
    }

    private FieldReader read(final FieldReader reader, final UnsafeBuffer message, final long version) {
        Version.wrapContent(message, version);
        final int length = Version.messageLength(version);
        if (fields.readsHeaders()) {
            reader.headers(message, length, Version.headersLength(version));
        }
        reader.wrap(message, 0, length);
        return reader;
    }
}
