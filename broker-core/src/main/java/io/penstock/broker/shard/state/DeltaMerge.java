package io.penstock.broker.shard.state;

import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import java.util.HashMap;
import java.util.Map;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Merges deltas into records. Confined to the sequencer. */
final class DeltaMerge {
    private static final int SCRATCH_LENGTH_INITIAL = 4 * 1024;

    private final Map<MessageFormat, MessageEditor> editors = new HashMap<>();
    private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
    private UnsafeBuffer merged = new UnsafeBuffer(new byte[SCRATCH_LENGTH_INITIAL]);

    /** One for all topics of a format, as no two messages are merged at once; null when the format cannot merge. */
    @Nullable
    MessageEditor editor(final MessageFormat format) {
        return format.editorSupport().canMerge() ? editors.computeIfAbsent(format, MessageFormat::newEditor) : null;
    }

    /**
     * Merges a delta into a version of its record. The headers are those of the delta, and lie after the message.
     *
     * @param editor  of the topic's format.
     * @param version of the record.
     * @param delta   whose payload is merged.
     * @return length of the message in {@link #merged()} in bytes, or {@link MessageEditor#TOO_LONG}.
     */
    int apply(final MessageEditor editor, final long version, final Publication delta) {
        Version.wrapMessage(record, version);
        final int lengthMax = record.capacity() + delta.payloadLength() + MessageEditor.LENGTH_MARGIN;
        if (merged.capacity() < lengthMax + delta.headersLength()) {
            merged = new UnsafeBuffer(new byte[BitUtil.findNextPositivePowerOfTwo(lengthMax + delta.headersLength())]);
        }
        final int length = editor.merge(
                record,
                0,
                record.capacity(),
                delta.payload(),
                delta.payloadOffset(),
                delta.payloadLength(),
                merged,
                0,
                merged.capacity() - delta.headersLength());
        if (length >= 0) {
            merged.putBytes(
                    length, delta.payload(), delta.payloadOffset() + delta.payloadLength(), delta.headersLength());
        }
        return length;
    }

    /** The record with the delta, from the first byte on; until the next one is merged. */
    DirectBuffer merged() {
        return merged;
    }
}
