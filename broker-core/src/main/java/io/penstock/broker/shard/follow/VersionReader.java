package io.penstock.broker.shard.follow;

import io.penstock.broker.shard.match.MatchedRecord;
import io.penstock.broker.shard.match.TopicFields;
import io.penstock.broker.shard.store.Version;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The old and the new version of a record, as the filters of its topic's followers read them. Owned by the sequencer.
 */
final class VersionReader {
    /** The new version: read once for followers and live subscriptions together when it was just published. */
    static final int NEW = 0;

    /** The old version. */
    static final int OLD = 1;

    private final MatchedRecord newRecord;
    private final MatchedRecord oldRecord;
    private final UnsafeBuffer oldContent = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer newContent = new UnsafeBuffer(0, 0);

    VersionReader(final TopicFields fields) {
        newRecord = fields.record(NEW);
        oldRecord = fields.record(OLD);
    }

    /** Moves to what a record was; valid until the next call. */
    MatchedRecord before(final long version) {
        return wrap(oldRecord, oldContent, version);
    }

    /** Moves to what a record is; valid until the next call. */
    MatchedRecord after(final long version) {
        return wrap(newRecord, newContent, version);
    }

    /** Moves to what a record is by its publish, which was just appended; valid until the next call. */
    MatchedRecord published(
            final DirectBuffer log, final int recordOffset, final int messageLength, final long sequence) {
        newRecord.wrap(log, recordOffset, messageLength, sequence);
        return newRecord;
    }

    private static MatchedRecord wrap(final MatchedRecord record, final UnsafeBuffer content, final long version) {
        Version.wrapContent(content, version);
        record.wrapContent(content, 0, Version.messageLength(version), Version.headersLength(version));
        return record;
    }
}
