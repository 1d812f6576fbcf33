package io.penstock.broker.topic;

import io.penstock.format.FieldSelection;
import io.penstock.format.MessageFormat;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Messages without the fields that are hidden from a client. Confined to one agent. */
public final class CutMessage {
    private final MessageCutter cutter;
    private final FieldSelection hidden;
    private final UnsafeBuffer present = new UnsafeBuffer(0, 0);
    private UnsafeBuffer scratch = new UnsafeBuffer(new byte[0]);

    /**
     * Makes it for a format.
     *
     * @param format of the messages, whose editor can cut.
     * @param hidden fields.
     */
    public CutMessage(final MessageFormat format, final FieldSelection hidden) {
        cutter = new MessageCutter(format);
        this.hidden = hidden;
    }

    /** Whether a message can be shown without them. */
    public boolean isShown(final UnsafeBuffer message) {
        return cutter.isShown(message, 0, message.capacity());
    }

    /** Cuts a message; what is left is valid until the next one. */
    public UnsafeBuffer of(final UnsafeBuffer message) {
        if (scratch.capacity() < message.capacity()) {
            scratch = new UnsafeBuffer(new byte[BitUtil.findNextPositivePowerOfTwo(message.capacity())]);
        }
        final int length = cutter.cut(message, 0, message.capacity(), hidden, scratch, 0);
        present.wrap(scratch, 0, Math.max(0, length));
        return present;
    }

    /** What is left of the message that was cut last. */
    public UnsafeBuffer present() {
        return present;
    }
}
