package io.penstock.broker.shard.follow;

import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.EditorSupport;
import io.penstock.format.FieldSelection;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.header.HeaderLayout;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Edits a message for followers with options: to the fields that have changed, or to those that were selected. Owned by the
 * sequencer; allocates nothing once warm.
 */
final class ChangeEditor {
    private static final int SCRATCH_LENGTH_INITIAL = 4 * 1024;

    /** More than the members of both messages can need between them. */
    private static final int LENGTH_MARGIN = 1024;

    private final EditorSupport support;
    private final @Nullable MessageEditor editor;
    private final FieldSelection kept;
    private final int lengthMax;
    private final UnsafeBuffer oldMessage = new UnsafeBuffer(0, 0);
    private UnsafeBuffer scratch = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SCRATCH_LENGTH_INITIAL, 8));

    /**
     * Makes it.
     *
     * @param format    of the messages.
     * @param kept      fields that are there whatever was selected.
     * @param lengthMax of what has changed, in bytes.
     */
    ChangeEditor(final MessageFormat format, final FieldSelection kept, final int lengthMax) {
        support = format.editorSupport();
        editor = support.canDiff() || support.canSelect() ? format.newEditor() : null;
        this.kept = kept;
        this.lengthMax = lengthMax;
    }

    /** Whether there is something to edit; else the message is sent as it is. */
    boolean isNeeded(final boolean isDelta, final FollowOptions options) {
        return isDiff(isDelta) || (options.selection() != null && support.canSelect());
    }

    /** Whether what is sent of a delta are the fields that have changed: some formats have none. */
    boolean isDiff(final boolean isDelta) {
        return isDelta && support.canDiff();
    }

    /** With room for headers after the message that was edited last. */
    UnsafeBuffer edited() {
        return scratch;
    }

    /**
     * Edits a message.
     *
     * @param isDelta    whether only what has changed is wanted.
     * @param oldVersion of which it is a change; for a delta only.
     * @param newMessage as it is.
     * @param options    of the followers.
     * @return length of what is in {@link #edited()}: 0 for a delta without a change; or {@link MessageEditor#TOO_LONG}.
     */
    int edit(final boolean isDelta, final long oldVersion, final UnsafeBuffer newMessage, final FollowOptions options) {
        final MessageEditor by = editor;
        if (by == null) {
            throw new IllegalStateException("the format cannot edit");
        }
        final FieldSelection selection = options.selection();
        if (isDiff(isDelta)) {
            Version.wrapMessage(oldMessage, oldVersion);
            // Nulls for many short members that were removed are longer than these were.
            final long need = 2L * (oldMessage.capacity() + newMessage.capacity()) + LENGTH_MARGIN;
            final int length = (int) Math.min(need, lengthMax);
            ensureScratch(length + HeaderLayout.LENGTH_MAX);
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
                    length);
        }
        final int length = newMessage.capacity() + LENGTH_MARGIN;
        ensureScratch(length + HeaderLayout.LENGTH_MAX);
        return by.select(
                newMessage,
                0,
                newMessage.capacity(),
                kept,
                selection == null ? kept : selection,
                options.noEmpties(),
                scratch,
                0,
                length);
    }

    private void ensureScratch(final int length) {
        if (scratch.capacity() < length) {
            scratch = new UnsafeBuffer(BufferUtil.allocateDirectAligned(BitUtil.findNextPositivePowerOfTwo(length), 8));
        }
    }
}
