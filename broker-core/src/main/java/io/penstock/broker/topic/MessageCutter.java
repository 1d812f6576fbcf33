package io.penstock.broker.topic;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldSelection;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageValidator;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts fields out of messages of one format, for those from whom they are hidden. What is no message of the format is not shown at
 * all. Confined to one agent; allocates nothing once warm.
 */
public final class MessageCutter {
    /** A message is not shown: what is in it is not known. */
    public static final int NOT_SHOWN = -1;

    private final MessageValidator validator;
    private final MessageEditor editor;

    /**
     * Makes it for a format.
     *
     * @param format whose editor can cut.
     */
    public MessageCutter(final MessageFormat format) {
        validator = format.newValidator();
        editor = format.newEditor();
    }

    /**
     * Why messages of a topic are not shown at all to a client from whom fields are hidden.
     *
     * @param hidden from it.
     * @param topic  of the messages.
     * @return text for it; null when the fields can be cut out.
     */
    public static @Nullable String whyNotShown(final FieldSelection hidden, final Topic topic) {
        if (hidden.paths().isEmpty()) {
            return null;
        }
        if (!topic.format().editorSupport().canCut()) {
            return "fields are hidden (" + hidden.text() + "), and cannot be cut out of messages of format "
                    + topic.format().name();
        }
        final StateRule rule = topic.state();
        for (final FieldPath path : rule == null ? List.<FieldPath>of() : rule.keyFields().paths()) {
            if (hidden.touches(path)) {
                return "its key is hidden: " + path;
            }
        }
        return null;
    }

    /** Whether a message is well formed. */
    public boolean isShown(final DirectBuffer message, final int offset, final int length) {
        return length == 0 || validator.validate(message, offset, length) == null;
    }

    /**
     * Writes a message without some fields.
     *
     * @param message  buffer holding the message.
     * @param offset   of the message.
     * @param length   of the message in bytes; 0 for none, which stays so.
     * @param hidden   fields that are left out.
     * @param to       another buffer, with room for the whole message.
     * @param toOffset of the result.
     * @return the length of the result in bytes, which is not above the message's, or {@link #NOT_SHOWN}.
     */
    public int cut(
            final DirectBuffer message,
            final int offset,
            final int length,
            final FieldSelection hidden,
            final MutableDirectBuffer to,
            final int toOffset) {
        if (length == 0 || !isShown(message, offset, length)) {
            return length == 0 ? 0 : NOT_SHOWN;
        }
        final int cutLength = editor.cut(message, offset, length, hidden, to, toOffset, length);
        return cutLength == MessageEditor.TOO_LONG ? NOT_SHOWN : cutLength;
    }
}
