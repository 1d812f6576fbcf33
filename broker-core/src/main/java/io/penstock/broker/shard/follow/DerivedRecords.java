package io.penstock.broker.shard.follow;

import static io.penstock.broker.shard.log.LogAppender.NO_ROOM;

import io.penstock.broker.shard.log.DispatchLog;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldSelection;
import io.penstock.format.MessageEditor;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Derives from one change of a record the records for followers with options, and puts each into the log once for all
 * followers with the same options. Owned by the sequencer; allocates nothing once warm.
 */
final class DerivedRecords {
    /** There is nothing to send: no field has changed. */
    static final long NOTHING = -2;

    /** The delta would be too long for the log, so the whole record has to be sent. */
    static final long TOO_LONG = -3;

    private final Topic topic;
    private final DispatchLog log;
    private final ChangeEditor editor;
    private final boolean isPublisherKey;
    private final MadeRecords made = new MadeRecords();
    private final MadeRecords madeBefore = new MadeRecords();
    private final UnsafeBuffer newMessage = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer headers = new UnsafeBuffer(0, 0);
    private final Publication publication = new Publication();
    private long oldVersion;
    private long newVersion;
    private long sequence;
    private long timestampNs;

    /** With fields that are sent whatever was selected. */
    DerivedRecords(final Topic topic, final DispatchLog log, final FieldSelection kept) {
        this.topic = topic;
        this.log = log;
        editor = new ChangeEditor(topic.format(), kept, log.derivedLengthMax());
        final StateRule rule = topic.state();
        isPublisherKey = rule == null || rule.isPublisherKey();
    }

    /** Speaks of another change from now on. */
    void onChange(final long before, final long after, final long changeSequence, final long changeTimestampNs) {
        made.clear();
        madeBefore.clear();
        oldVersion = before;
        newVersion = after;
        sequence = changeSequence;
        timestampNs = changeTimestampNs;
    }

    /**
     * Where the whole record is in the log, or the fields of it that a follower has selected.
     *
     * @param position of the record as it is; negative when it has to be put into the log first.
     */
    long selected(final StateFollower follower, final long position) {
        final FieldSelection selection = follower.options.selection();
        if (selection == null && position >= 0) {
            return position;
        }
        final long known = made.find(false, follower.options);
        return known != MadeRecords.UNKNOWN ? known : make(false, follower.options);
    }

    /** Where the fields that have changed are in the log; or {@link #NOTHING}, or {@link #TOO_LONG}. */
    long delta(final StateFollower follower) {
        final long known = made.find(true, follower.options);
        return known != MadeRecords.UNKNOWN ? known : make(true, follower.options);
    }

    /**
     * Where the record is, or the fields that a follower has selected, as it was before the change: for one that may not
     * see what it is now.
     */
    long before(final StateFollower follower) {
        final long known = madeBefore.find(false, follower.options);
        return known != MadeRecords.UNKNOWN ? known : make(false, follower.options, oldVersion, madeBefore);
    }

    private long make(final boolean isDelta, final FollowOptions options) {
        return make(isDelta, options, newVersion != 0 ? newVersion : oldVersion, made);
    }

    private long make(final boolean isDelta, final FollowOptions options, final long version, final MadeRecords known) {
        Version.wrapMessage(newMessage, version);
        if (isPublisherKey) {
            Version.wrapKey(key, version);
        }
        int length = newMessage.capacity();
        UnsafeBuffer message = newMessage;
        final boolean isEdited = editor.isNeeded(isDelta, options);
        if (isEdited) {
            length = editor.edit(isDelta, oldVersion, newMessage, options);
            message = editor.edited();
            if (length == 0 && editor.isDiff(isDelta)) {
                return remember(known, isDelta, options, NOTHING);
            }
            if (length == MessageEditor.TOO_LONG) {
                return remember(known, isDelta, options, TOO_LONG);
            }
        }
        final int headersLength = Version.headersLength(version);
        if (!isEdited) {
            Version.wrapContent(message, version);
        } else if (headersLength > 0) {
            Version.wrapHeaders(headers, version);
            message.putBytes(length, headers, 0, headersLength);
        }
        publication
                .of(topic.id(), 0, 0)
                .payload(message, 0, length)
                .headers(headersLength)
                .key(key, 0, isPublisherKey ? key.capacity() : 0);
        final long position = log.appendDerived(sequence, timestampNs, publication);
        return position == NO_ROOM ? NO_ROOM : remember(known, isDelta, options, position);
    }

    private static long remember(
            final MadeRecords known, final boolean isDelta, final FollowOptions options, final long position) {
        known.add(isDelta, options, position);
        return position;
    }
}
