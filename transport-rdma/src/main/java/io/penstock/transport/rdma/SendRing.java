package io.penstock.transport.rdma;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The slots that sends go out of, in turn. Each holds one chunk:
 *
 * <pre>
 *   completed        posted            sealed
 *      |  the device's  |  for want of    |  open: filled
 *      |                |  credits        |  by offers      free ...
 * </pre>
 *
 * <p>A send needs a credit of the peer: a receive that it has posted. The last one is kept for a chunk without records,
 * which brings credits to the peer; so that both sides never wait for each other, however full the one of them is. Owned by
 * the agent.
 */
final class SendRing {
    /** Kinds of requests, in the upper part of their ids. Below is the number of slots that are done with it. */
    private static final int KIND_SHIFT = 56;

    private static final long RECEIVE = 0;
    private static final long DATA = 1L << KIND_SHIFT;
    private static final long CONTROL = 2L << KIND_SHIFT;
    private static final long END = 3L << KIND_SHIFT;

    /** Nothing was written: all slots are on their way. */
    static final int NO_SLOT = -1;

    /** With the number of the read below. */
    static final long READ = 4L << KIND_SHIFT;

    private static final long NUMBER_MASK = (1L << KIND_SHIFT) - 1;

    private final SendPost post;
    private final UnsafeBuffer memory;
    private final int slotCount;
    private final int slotsOffset;
    private final int controlOffset;
    private final int lastOffset;
    private final int[] lengths;
    private final SentBodies bodies;
    private long sealed;
    private long posted;
    private long completed;
    private long controlPosted;
    private long controlCompleted;
    private int openLength = Chunks.PREAMBLE_LENGTH;
    private int credits;

    SendRing(final Scratch scratch, final Link link, final UnsafeBuffer memory) {
        this.memory = memory;
        post = new SendPost(scratch, link, memory);
        slotCount = link.slotCount();
        slotsOffset = slotCount * Chunks.SLOT_LENGTH;
        controlOffset = slotsOffset + slotCount * Chunks.SLOT_LENGTH;
        // No other request is of this part of a piece: what is on its way is not written to.
        lastOffset = controlOffset + Chunks.PREAMBLE_LENGTH;
        lengths = new int[slotCount];
        bodies = new SentBodies(link.bodies(), slotCount);
        credits = link.peerSlotCount();
    }

    /** Whether an id is that of a receive, and so the number of its slot. */
    static boolean isReceive(final long id) {
        return (id & ~NUMBER_MASK) == RECEIVE;
    }

    /** Whether an id is that of a read of the peer's memory. */
    static boolean isRead(final long id) {
        return (id & ~NUMBER_MASK) == READ;
    }

    /**
     * Puts a record into the open slot, or the next one. A long body in registered memory stays where it is, and is the
     * last of its slot.
     *
     * @return bytes that were copied, or {@link #NO_SLOT}.
     */
    int write(
            final DirectBuffer header,
            final int headerOffset,
            final int headerLength,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength,
            final int frameLength,
            final long position) {
        final int partLength = headerLength + bodyLength;
        final int recordLength = Chunks.recordLength(partLength);
        if (openLength + recordLength > Chunks.SLOT_LENGTH) {
            seal();
        }
        if (sealed - completed == slotCount) {
            return NO_SLOT;
        }
        final int record = slotOffset(sealed) + openLength;
        if (bodyLength >= Chunks.BODY_LENGTH_MIN && bodies.put(sealed, body, bodyOffset, bodyLength, position)) {
            memory.putInt(record + Chunks.PART_OFFSET, partLength, ByteOrder.LITTLE_ENDIAN);
            memory.putInt(record + Chunks.FRAME_OFFSET, frameLength, ByteOrder.LITTLE_ENDIAN);
            memory.putBytes(record + Chunks.HEADER_LENGTH, header, headerOffset, headerLength);
            openLength += Chunks.HEADER_LENGTH + headerLength;
            seal();
            return headerLength;
        }
        // Bytes that are not filled below are also sent to the peer, and may be of another connection.
        memory.putLong(record + recordLength - Chunks.ALIGNMENT, 0);
        memory.putInt(record + Chunks.PART_OFFSET, partLength, ByteOrder.LITTLE_ENDIAN);
        memory.putInt(record + Chunks.FRAME_OFFSET, frameLength, ByteOrder.LITTLE_ENDIAN);
        final int bytes = record + Chunks.HEADER_LENGTH;
        memory.putBytes(bytes, header, headerOffset, headerLength);
        memory.putBytes(bytes + headerLength, body, bodyOffset, bodyLength);
        openLength += recordLength;
        return partLength;
    }

    private int slotOffset(final long number) {
        return slotsOffset + (int) (number % slotCount) * Chunks.SLOT_LENGTH;
    }

    /** Nothing more goes into the open slot. */
    void seal() {
        if (openLength > Chunks.PREAMBLE_LENGTH) {
            lengths[(int) (sealed % slotCount)] = openLength;
            sealed++;
            openLength = Chunks.PREAMBLE_LENGTH;
        }
    }

    /** Whether something was offered that is not posted yet. */
    boolean isPending() {
        return posted < sealed || openLength > Chunks.PREAMBLE_LENGTH;
    }

    /** Whether something is sealed, and there is a credit for it. */
    boolean canPost() {
        return posted < sealed && credits > 1;
    }

    /** Whether a chunk without records can go. */
    boolean canPostControl() {
        return credits > 0 && controlPosted - controlCompleted < Link.CONTROL_COUNT;
    }

    /** Whether there may be room for a record now. */
    boolean hasRoom() {
        return sealed - completed < slotCount;
    }

    /**
     * Posts what is sealed, as far as credits go.
     *
     * @param owed credits for the peer, which the first chunk takes along.
     * @return bytes posted; 0 when there is nothing, or no credit.
     */
    int post(final int owed) {
        int count = 0;
        int length = 0;
        while (count < post.capacity() && posted + count < sealed && credits - count > 1) {
            final long number = posted + count;
            final int offset = slotOffset(number);
            final int chunkLength = lengths[(int) (number % slotCount)];
            putPreamble(offset, count == 0 ? owed : 0, 0);
            final int bodyLength = bodies.length(number);
            if (bodyLength > 0) {
                post.putSignalled(count, DATA | (number + 1), offset, chunkLength);
                bodies.fill(post.requests(), count, number);
            } else {
                post.put(count, DATA | (number + 1), offset, chunkLength);
            }
            length += chunkLength + bodyLength;
            count++;
        }
        if (count > 0) {
            post.post(count);
            posted += count;
            credits -= count;
        }
        return length;
    }

    private void putPreamble(final int offset, final int creditsForPeer, final int flags) {
        memory.putInt(offset + Chunks.CREDITS_OFFSET, creditsForPeer, ByteOrder.LITTLE_ENDIAN);
        memory.putInt(offset + Chunks.FLAGS_OFFSET, flags, ByteOrder.LITTLE_ENDIAN);
    }

    /** Posts a chunk without records. False when there is no credit, or all pieces for it are on their way. */
    boolean postControl(final int owed) {
        if (!canPostControl()) {
            return false;
        }
        final int offset = controlOffset + (int) (controlPosted % Link.CONTROL_COUNT) * Link.CONTROL_LENGTH;
        putPreamble(offset, owed, 0);
        post.putAlone(CONTROL | posted, offset, Chunks.PREAMBLE_LENGTH);
        post.post(1);
        controlPosted++;
        credits--;
        return true;
    }

    /** Posts reads of the peer's memory, as many as may be under way. Returns how many. */
    int postReads(final PullPort pulls) {
        int count = 0;
        while (pulls.fill(post.requests())) {
            post.post(1);
            count++;
        }
        return count;
    }

    /**
     * Posts the last request of all; when it is complete so are all others. The peer hears of it if there is a credit.
     *
     * @return its id.
     */
    long postLast(final int owed) {
        if (credits > 0) {
            putPreamble(lastOffset, owed, Chunks.LAST);
            post.putAlone(END, lastOffset, Chunks.PREAMBLE_LENGTH);
            credits--;
        } else {
            post.putNothing(END);
        }
        post.post(1);
        return END;
    }

    /** Whether the device has refused a request that it had to have room for; it is broken then. */
    boolean isRefused() {
        return post.isRefused();
    }

    /** A send is complete, and so are all before it. */
    void onCompleted(final long id) {
        if ((id & ~NUMBER_MASK) == CONTROL) {
            controlCompleted++;
        }
        completed = Math.max(completed, id & NUMBER_MASK);
        bodies.onCompleted(completed);
    }

    /**
     * Up to where bodies are needed no more.
     *
     * @param position of the connection: all that was offered.
     * @return where the first body begins that is not known to be sent; else the position.
     */
    long completedPosition(final long position) {
        return bodies.completedPosition(sealed, position);
    }

    /** The peer has posted receives. False when it claims more than it has. */
    boolean onCredits(final int count, final int countMax) {
        credits += count;
        return count >= 0 && credits <= countMax;
    }
}
