package io.penstock.client.session;

import io.penstock.client.SessionListener;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.BlockGrantedDecoder;
import io.penstock.protocol.codec.BlockStoredDecoder;
import io.penstock.protocol.codec.SinkOpenedDecoder;
import org.agrona.DirectBuffer;

/** Reads the frames that are about sinks, once they are checked. Owned by the session. */
final class SinkAnswerReader {
    private final SinkOpenedDecoder sinkOpened = new SinkOpenedDecoder();
    private final BlockGrantedDecoder blockGranted = new BlockGrantedDecoder();
    private final BlockStoredDecoder blockStored = new BlockStoredDecoder();
    private final SessionListener listener;

    SinkAnswerReader(final SessionListener listener) {
        this.listener = listener;
    }

    /** Returns whether the frame is about a sink. */
    boolean onFrame(final int templateId, final DirectBuffer buffer, final int offset) {
        final int block = offset + FrameHeader.LENGTH;
        final int blockLength = FrameHeader.blockLength(buffer, offset);
        final int version = FrameHeader.version(buffer, offset);
        switch (templateId) {
            case BlockGrantedDecoder.TEMPLATE_ID -> {
                blockGranted.wrap(buffer, block, blockLength, version);
                listener.onBlockGranted(blockGranted.writerId(), blockGranted.blockId());
            }
            case BlockStoredDecoder.TEMPLATE_ID -> {
                blockStored.wrap(buffer, block, blockLength, version);
                listener.onBlockStored(
                        blockStored.commandId(),
                        blockStored.writerId(),
                        blockStored.number(),
                        blockStored.fileOffset());
            }
            case SinkOpenedDecoder.TEMPLATE_ID -> {
                sinkOpened.wrap(buffer, block, blockLength, version);
                listener.onSinkOpened(
                        sinkOpened.writerId(),
                        sinkOpened.blockId(),
                        sinkOpened.blockLengthMax(),
                        sinkOpened.pulls() != 0);
            }
            default -> {
                return false;
            }
        }
        return true;
    }
}
