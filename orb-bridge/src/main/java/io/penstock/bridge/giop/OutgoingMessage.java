package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * A message on its way, written piece by piece. From GIOP 1.2 on a long one goes in fragments, with which others may take
 * turns; before that the pieces of a message follow each other. What is in long arrays is copied once, into the buffer that
 * is sent. Owned by one thread.
 *
 * <pre>
 *   header (12) with the flag that more follow | what fits
 *   header (12) of a fragment | id (4) | what fits, always a multiple of 8 in all
 *   ...
 *   header (12) of a fragment without the flag | id (4) | the rest
 * </pre>
 */
public final class OutgoingMessage {
    private final int minor;
    private final boolean isLittleEndian;
    private final int type;
    private final int id;
    private final int pieceLength;
    private final boolean isFragmented;
    private final long length;
    private final byte[] buffer;
    private final int bufferLength;
    private final List<CdrWriter.Gathered> gathered;
    private int bufferOffset;
    private int gatheredIndex;
    private int gatheredOffset;
    private long left;
    private boolean isBegun;

    /**
     * A message with data.
     *
     * @param minor       version.
     * @param type        one of {@link MessageType}.
     * @param id          of the request.
     * @param body        all of the message after its header.
     * @param pieceLength of the pieces and of fragments, with their headers; a multiple of 8.
     */
    public OutgoingMessage(final int minor, final int type, final int id, final CdrWriter body, final int pieceLength) {
        this.minor = minor;
        this.type = type;
        this.id = id;
        this.pieceLength = pieceLength;
        isLittleEndian = body.isLittleEndian();
        length = body.length();
        buffer = body.buffer();
        bufferLength = body.bufferLength();
        gathered = body.gathered();
        isFragmented = minor >= 2
                && MessageHeader.LENGTH + length > pieceLength
                && (type == MessageType.REQUEST || type == MessageType.REPLY);
        left = length;
    }

    /**
     * A message without data.
     *
     * @param minor version.
     * @param type  for example {@link MessageType#CLOSE_CONNECTION}.
     * @return the message.
     */
    public static OutgoingMessage empty(final int minor, final int type) {
        return new OutgoingMessage(minor, type, 0, CdrWriter.message(false), MessageHeader.LENGTH);
    }

    /**
     * The length of the message, without headers.
     *
     * @return in bytes.
     */
    public long length() {
        return length;
    }

    /**
     * The most that the next piece takes.
     *
     * @return in bytes.
     */
    public int nextLengthMax() {
        return (int) Math.min(pieceLength, left + MessageHeader.LENGTH + MessageHeader.FRAGMENT_ID_LENGTH);
    }

    /**
     * Writes the next piece.
     *
     * @param out with room for {@link #nextLengthMax()}.
     */
    public void writeNext(final ByteBuf out) {
        int room = pieceLength;
        if (!isBegun) {
            isBegun = true;
            room -= MessageHeader.LENGTH;
            final long first = isFragmented ? room : length;
            new MessageHeader(minor, isLittleEndian, isFragmented, type, first).write(out);
        } else if (isFragmented) {
            room -= MessageHeader.LENGTH + MessageHeader.FRAGMENT_ID_LENGTH;
            final long data = Math.min(room, left);
            new MessageHeader(
                            minor,
                            isLittleEndian,
                            data < left,
                            MessageType.FRAGMENT,
                            MessageHeader.FRAGMENT_ID_LENGTH + data)
                    .write(out);
            if (isLittleEndian) {
                out.writeIntLE(id);
            } else {
                out.writeInt(id);
            }
        }
        writeData(out, (int) Math.min(room, left));
    }

    private void writeData(final ByteBuf out, final int count) {
        left -= count;
        int rest = count;
        while (rest > 0) {
            final int bufferEnd = gatheredIndex < gathered.size()
                    ? gathered.get(gatheredIndex).offset()
                    : bufferLength;
            if (bufferOffset < bufferEnd) {
                final int part = Math.min(rest, bufferEnd - bufferOffset);
                out.writeBytes(buffer, bufferOffset, part);
                bufferOffset += part;
                rest -= part;
            } else {
                final byte[] bytes = gathered.get(gatheredIndex).bytes();
                final int part = Math.min(rest, bytes.length - gatheredOffset);
                out.writeBytes(bytes, gatheredOffset, part);
                gatheredOffset += part;
                rest -= part;
                if (gatheredOffset == bytes.length) {
                    gatheredIndex++;
                    gatheredOffset = 0;
                }
            }
        }
    }

    /**
     * Whether all is written.
     *
     * @return false while there is a piece left.
     */
    public boolean isDone() {
        return isBegun && left == 0;
    }

    /**
     * Whether other messages may be written before the next piece.
     *
     * @return true before it has begun, between fragments, and at its end.
     */
    public boolean mayYield() {
        return isFragmented || !isBegun || left == 0;
    }
}
