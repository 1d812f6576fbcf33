package io.penstock.broker.sink;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.transport.RemoteMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Brings the bytes of a block into a sink's file, and checks them on the way: from the memory that they were received
 * into, or out of the producer's own. Owned by the sink agent.
 */
final class BlockCopier {
    /** Short enough to stay in a processor's cache between the pull, the checksum and the write. */
    private static final int PIECE_LENGTH = 512 * 1024;

    private final AlignedBuffer piece = new AlignedBuffer(PIECE_LENGTH);
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer received;

    BlockCopier(final BlockMemory memory) {
        received = memory.bytes().duplicate();
    }

    /** Returns what is wrong with the block, or null when all of it was written. */
    @Nullable
    String copy(final BlockTransfer transfer, final SinkFile sink) throws IOException {
        crc.reset();
        final String wrong = transfer.memoryOffset() < 0 ? write(transfer, sink) : pull(transfer, sink);
        if (wrong != null || (int) crc.getValue() == transfer.checksum()) {
            return wrong;
        }
        return "sink: block " + transfer.blockId() + " has another checksum than was said: "
                + Long.toHexString(crc.getValue()) + ", not "
                + Integer.toHexString(transfer.checksum())
                + " (it was changed after it was submitted, or on its way; deliver it again)";
    }

    private @Nullable String write(final BlockTransfer transfer, final SinkFile sink) throws IOException {
        final int offset = transfer.offset();
        received.limit(offset + transfer.length()).position(offset);
        crc.update(received);
        if ((int) crc.getValue() == transfer.checksum()) {
            received.position(offset);
            sink.write(received);
        }
        return null;
    }

    private @Nullable String pull(final BlockTransfer transfer, final SinkFile sink) throws IOException {
        final RemoteMemory memory = transfer.writer().memory();
        if (memory == null) {
            return "sink: block " + transfer.blockId() + " lies in no memory (send it)";
        }
        final ByteBuffer bytes = piece.bytes();
        for (int done = 0; done < transfer.length(); done += bytes.limit()) {
            bytes.clear().limit(Math.min(bytes.capacity(), transfer.length() - done));
            try {
                memory.pull(transfer.memoryOffset() + done, bytes);
            } catch (final IOException e) {
                return "sink: block " + transfer.blockId() + " cannot be pulled: " + e.getMessage() + " (send it)";
            }
            crc.update(bytes.flip());
            sink.write(bytes.flip());
        }
        return null;
    }

    void free() {
        piece.free();
    }
}
