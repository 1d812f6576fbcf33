package io.penstock.broker.shard.state;

import static io.penstock.protocol.RecordDescriptor.FLAG_EXPIRED;
import static io.penstock.protocol.RecordDescriptor.FLAG_EXPIRES;
import static io.penstock.protocol.RecordDescriptor.FLAG_KEY;
import static io.penstock.protocol.RecordDescriptor.TYPE_DELETE;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.shard.log.DispatchLog;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.KeyReader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends the records of topics with state to the log. It knows the content of their trailers. Owned by the sequencer.
 */
final class StateRecords {
    private static final int TRAILER_LENGTH_MAX = KeyReader.KEY_LENGTH_MAX + Long.BYTES;

    private final DispatchLog log;

    /** The message that goes into the log, which differs from the published one when that is a delta. */
    private final Publication applied = new Publication();

    private final UnsafeBuffer trailer = new UnsafeBuffer(new byte[TRAILER_LENGTH_MAX]);
    private final UnsafeBuffer oldMessage = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer oldKey = new UnsafeBuffer(0, 0);
    private int trailerLength;

    StateRecords(final DispatchLog log) {
        this.log = log;
    }

    /** Appends a message, and the headers after it. Returns its position, or {@link LogAppender#NO_ROOM}. */
    long append(
            final StateTopic to,
            final Publication publication,
            final DirectBuffer message,
            final int offset,
            final int length,
            final long timestampNs) {
        int flags = 0;
        trailerLength = 0;
        if (to.rule.isPublisherKey()) {
            flags |= FLAG_KEY;
            trailer.putBytes(0, publication.key(), publication.keyOffset(), publication.keyLength());
            trailerLength = publication.keyLength();
        }
        if (publication.expirationNs() != Publication.EXPIRATION_OF_TOPIC) {
            flags |= FLAG_EXPIRES;
            trailer.putLong(trailerLength, expiresNs(publication.expirationNs(), timestampNs), LITTLE_ENDIAN);
            trailerLength += Long.BYTES;
        }
        applied.of(to.topic.id(), publication.publisherId(), publication.publisherSequence())
                .payload(message, offset, length)
                .headers(publication.headersLength());
        return log.append(TYPE_MESSAGE, flags, timestampNs, applied, trailer, trailerLength);
    }

    /** When a record expires that was published with an expiration of its own. */
    private static long expiresNs(final long expirationNs, final long timestampNs) {
        return expirationNs == Publication.EXPIRATION_NEVER ? StateStore.NEVER : timestampNs + expirationNs;
    }

    /** Appends that a version is deleted, with its message. Returns the position, or {@link LogAppender#NO_ROOM}. */
    long appendDelete(final StateTopic from, final long version, final boolean expired, final long timestampNs) {
        Version.wrapContent(oldMessage, version);
        int flags = expired ? FLAG_EXPIRED : 0;
        trailerLength = 0;
        if (from.rule.isPublisherKey()) {
            Version.wrapKey(oldKey, version);
            trailerLength = oldKey.capacity();
            trailer.putBytes(0, oldKey, 0, trailerLength);
            flags |= FLAG_KEY;
        }
        applied.of(from.topic.id(), 0, 0)
                .payload(oldMessage, 0, Version.messageLength(version))
                .headers(Version.headersLength(version));
        return log.append(TYPE_DELETE, flags, timestampNs, applied, trailer, trailerLength);
    }

    /** Length of the trailer after message and headers of the last record, in bytes. */
    int trailerLength() {
        return trailerLength;
    }
}
