package io.penstock.broker.shard.follow;

import static io.penstock.broker.shard.log.LogAppender.NO_ROOM;

import io.penstock.broker.shard.log.DispatchLog;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.EditorSupport;
import io.penstock.format.FieldSelection;
import io.penstock.format.MessageEditor;
import io.penstock.format.header.HeaderLayout;
import java.util.ArrayList;
import java.util.Objects;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes, of one change of a record, what followers with options get, and puts it into the log once for all with the
 * same options. Owned by the sequencer; allocates nothing once warm.
 */
final class DerivedRecords {
    /** There is nothing to tell: no field has changed. */
    static final long NOTHING = -2;

    /** What has changed would be too long for the log, so that the whole record is to be sent. */
    static final long TOO_LONG = -3;

    private static final int SCRATCH_LENGTH_INITIAL = 4 * 1024;

    /** More than the members of both messages can need between them. */
    private static final int LENGTH_MARGIN = 1024;

    private final Topic topic;
    private final DispatchLog log;
    private final EditorSupport support;
    private final @Nullable MessageEditor editor;
    private final FieldSelection kept;
    private final boolean isPublisherKey;
    private final ArrayList<Made> made = new ArrayList<>();
    private final UnsafeBuffer oldMessage = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer newMessage = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer headers = new UnsafeBuffer(0, 0);
    private final Publication publication = new Publication();
    private UnsafeBuffer scratch = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SCRATCH_LENGTH_INITIAL, 8));
    private int madeCount;
    private long oldVersion;
    private long newVersion;
    private long sequence;
    private long timestampNs;

    /** With fields that are sent whatever was selected. */
    DerivedRecords(final Topic topic, final DispatchLog log, final FieldSelection kept) {
        this.topic = topic;
        this.log = log;
        support = topic.format().editorSupport();
        editor = support.canDiff() || support.canSelect() ? topic.format().newEditor() : null;
        final StateRule rule = topic.state();
        isPublisherKey = rule == null || rule.isPublisherKey();
        this.kept = kept;
    }

    /** Speaks of another change from now on. */
    void onChange(final long before, final long after, final long changeSequence, final long changeTimestampNs) {
        madeCount = 0;
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
        final Made known = find(false, follower.options);
        return known != null ? known.position : make(false, follower.options);
    }

    /** Where the fields that have changed are in the log; or {@link #NOTHING}, or {@link #TOO_LONG}. */
    long delta(final StateFollower follower) {
        final Made known = find(true, follower.options);
        return known != null ? known.position : make(true, follower.options);
    }

    private long make(final boolean isDelta, final FollowOptions options) {
        final long version = newVersion != 0 ? newVersion : oldVersion;
        Version.wrapMessage(newMessage, version);
        if (isPublisherKey) {
            Version.wrapKey(key, version);
        }
        int length = newMessage.capacity();
        UnsafeBuffer message = newMessage;
        final boolean isDiff = isDelta && support.canDiff();
        final boolean isEdited = isDiff || (options.selection() != null && support.canSelect());
        if (editor != null && isEdited) {
            length = edit(editor, isDiff, options);
            message = scratch;
            if (length == 0 && isDiff) {
                return remember(isDelta, options, NOTHING);
            }
            if (length == MessageEditor.TOO_LONG) {
                return remember(isDelta, options, TOO_LONG);
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
        return position == NO_ROOM ? NO_ROOM : remember(isDelta, options, position);
    }

    private int edit(final MessageEditor by, final boolean isDiff, final FollowOptions options) {
        final FieldSelection selection = options.selection();
        if (isDiff) {
            Version.wrapMessage(oldMessage, oldVersion);
            // Nulls for many short members that are gone are longer than these were.
            final long need = 2L * (oldMessage.capacity() + newMessage.capacity()) + LENGTH_MARGIN;
            final int lengthMax = (int) Math.min(need, log.derivedLengthMax());
            ensureScratch(lengthMax + HeaderLayout.LENGTH_MAX);
            return by.diff(
                    oldMessage,
                    0,
                    oldMessage.capacity(),
                    newMessage,
                    0,
                    newMessage.capacity(),
                    kept,
                    selection,
                    options.noEmpties(),
                    scratch,
                    0,
                    lengthMax);
        }
        final int lengthMax = newMessage.capacity() + LENGTH_MARGIN;
        ensureScratch(lengthMax + HeaderLayout.LENGTH_MAX);
        return by.select(
                newMessage,
                0,
                newMessage.capacity(),
                kept,
                selection == null ? kept : selection,
                options.noEmpties(),
                scratch,
                0,
                lengthMax);
    }

    private void ensureScratch(final int length) {
        if (scratch.capacity() < length) {
            scratch = new UnsafeBuffer(BufferUtil.allocateDirectAligned(BitUtil.findNextPositivePowerOfTwo(length), 8));
        }
    }

    private @Nullable Made find(final boolean isDelta, final FollowOptions options) {
        for (int i = 0; i < madeCount; i++) {
            final Made each = made.get(i);
            if (each.isDelta == isDelta && each.options != null && isSame(each.options, options)) {
                return each;
            }
        }
        return null;
    }

    private static boolean isSame(final FollowOptions one, final FollowOptions other) {
        return one.noEmpties() == other.noEmpties() && Objects.equals(one.selection(), other.selection());
    }

    private long remember(final boolean isDelta, final FollowOptions options, final long position) {
        if (madeCount == made.size()) {
            made.add(new Made());
        }
        final Made entry = made.get(madeCount++);
        entry.isDelta = isDelta;
        entry.options = options;
        entry.position = position;
        return position;
    }

    /** A record that was made of the present change. */
    private static final class Made {
        private boolean isDelta;
        private @Nullable FollowOptions options;
        private long position;
    }
}
