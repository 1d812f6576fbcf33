package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages in what a connection receives, and puts fragments together: those of GIOP 1.1 belong to the one message
 * that is under way, those of 1.2 to the request whose number they have. A message that has come at once is handed on
 * without a copy. Owned by the thread that reads; not used again after an exception, but to release it.
 */
public final class MessageReader {
    private static final int ALIGNMENT_MASK = MessageHeader.BODY_ALIGNMENT - 1;

    /**
     * Least average length of the fragments of a long message in GIOP 1.1, where each has to be remembered, in bytes.
     */
    private static final int FRAGMENT_LENGTH_MIN = 256;

    private static final int FRAGMENTS_MORE = 64;

    private final ReadLimits limits;
    private final LengthBudget budget;
    private final ByteBufAllocator allocator;
    private final MessageSink sink;
    private final Map<Integer, IncomingMessage> fragmented = new HashMap<>();
    private final ByteBuf head = Unpooled.buffer(MessageHeader.LENGTH + MessageHeader.FRAGMENT_ID_LENGTH);
    private @Nullable IncomingMessage fragmentedWithoutId;
    private boolean isFragmentedCancelled;

    // The part that is being read: its header, whose message it is, and what is left of it.
    private @Nullable MessageHeader header;
    private @Nullable IncomingMessage current;
    private long left;
    private long heldLength;

    /**
     * Begins between two messages.
     *
     * @param limits    bounds.
     * @param budget    bounds what many connections hold.
     * @param allocator makes buffers for what comes in part.
     * @param sink      is given the messages.
     */
    public MessageReader(
            final ReadLimits limits,
            final LengthBudget budget,
            final ByteBufAllocator allocator,
            final MessageSink sink) {
        this.limits = limits;
        this.budget = budget;
        this.allocator = allocator;
        this.sink = sink;
    }

    /**
     * Reads all there is, or up to the message for which {@link MessageSink#isFull()} says that there is no room.
     *
     * @param in owned by the caller; what was not read is left in it.
     * @throws ProtocolException when it is no GIOP, or beyond a bound that ends the connection.
     */
    public void read(final ByteBuf in) throws ProtocolException {
        while (true) {
            MessageHeader known = header;
            if (known == null) {
                if (sink.isFull()) {
                    return;
                }
                known = readHeader(in);
                if (known == null) {
                    return;
                }
                begin(known, in);
                continue;
            }
            if (!readBody(in)) {
                return;
            }
            end(known);
        }
    }

    /** Null when it has not come whole yet. */
    private @Nullable MessageHeader readHeader(final ByteBuf in) throws ProtocolException {
        fill(in, MessageHeader.LENGTH);
        if (head.readableBytes() < MessageHeader.LENGTH) {
            return null;
        }
        final MessageHeader read = MessageHeader.read(head);
        if (read.type() == MessageType.FRAGMENT && read.minor() >= 2) {
            fill(in, MessageHeader.LENGTH + MessageHeader.FRAGMENT_ID_LENGTH);
            if (head.readableBytes() < MessageHeader.LENGTH + MessageHeader.FRAGMENT_ID_LENGTH) {
                return null;
            }
        }
        return read;
    }

    private void fill(final ByteBuf in, final int wanted) {
        final int count = Math.min(wanted - head.readableBytes(), in.readableBytes());
        if (count > 0) {
            head.writeBytes(in, count);
        }
    }

    private void begin(final MessageHeader begun, final ByteBuf in) throws ProtocolException {
        left = begun.length();
        if (left > limits.headerLengthMax()) {
            throw new ProtocolException("a message is too long: " + left + " bytes");
        }
        if (begun.hasMore()) {
            checkMore(begun);
        }
        if (begun.type() == MessageType.FRAGMENT) {
            current = messageOf(begun);
        } else {
            if (begun.minor() < 2) {
                checkAlone(begun);
            }
            if (!begun.hasMore() && left <= limits.messageLengthMax() && in.readableBytes() >= left) {
                head.clear();
                handOver(begun, in.readSlice((int) left));
                return;
            }
            current = new IncomingMessage(begun);
        }
        header = begun;
        refuseWhenTooLong();
    }

    private static void checkMore(final MessageHeader begun) throws ProtocolException {
        if (!begun.mayHaveMore()) {
            throw new ProtocolException("fragments of a message of type " + begun.type());
        }
        if (begun.minor() >= 2
                && (begun.length() < MessageHeader.FRAGMENT_ID_LENGTH
                        || ((MessageHeader.LENGTH + begun.length()) & ALIGNMENT_MASK) != 0)) {
            throw new ProtocolException("a part that is not the last has a length of "
                    + (MessageHeader.LENGTH + begun.length()) + " bytes (use a multiple of 8)");
        }
    }

    private IncomingMessage messageOf(final MessageHeader begun) throws ProtocolException {
        final IncomingMessage message;
        if (begun.minor() < 2) {
            message = fragmentedWithoutId;
            if (message != null
                    && !message.beginFragment(FRAGMENTS_MORE + limits.messageLengthMax() / FRAGMENT_LENGTH_MIN)) {
                throw new ProtocolException("too many small fragments");
            }
        } else {
            left -= MessageHeader.FRAGMENT_ID_LENGTH;
            message = fragmented.get(fragmentId(begun));
        }
        if (message == null
                || left < 0
                || message.header().minor() != begun.minor()
                || message.header().isLittleEndian() != begun.isLittleEndian()) {
            throw new ProtocolException("a fragment of no message");
        }
        return message;
    }

    /** Fragments without a number leave no place for other messages between them, but for one that gives them up. */
    private void checkAlone(final MessageHeader begun) throws ProtocolException {
        final IncomingMessage other = fragmentedWithoutId;
        if (other == null) {
            return;
        }
        if (begun.type() == MessageType.CANCEL_REQUEST) {
            isFragmentedCancelled = true;
        } else if (isFragmentedCancelled) {
            drop(other);
            fragmentedWithoutId = null;
        } else {
            throw new ProtocolException("a message among the fragments of another");
        }
    }

    private void refuseWhenTooLong() {
        final IncomingMessage message = current;
        if (message != null && message.length() + left > limits.messageLengthMax()) {
            refuse(message, MessageSink.Refusal.TOO_LONG);
        }
    }

    private void refuse(final IncomingMessage message, final MessageSink.Refusal reason) {
        final long before = counted(message.length());
        message.refuse(reason, allocator);
        giveBack(before - counted(message.length()));
    }

    /**
     * The begin of a message does not count here, so that there is room for what its refusal needs: that of the first one in
     * part counts to nothing, and that of a further one when it is found to be one.
     */
    private static long counted(final long length) {
        return Math.max(0, length - IncomingMessage.BEGIN_LENGTH);
    }

    private void giveBack(final long length) {
        if (length > 0) {
            heldLength -= length;
            budget.remove(length);
        }
    }

    /** Returns whether the part has come whole. */
    private boolean readBody(final ByteBuf in) {
        final int count = (int) Math.min(left, in.readableBytes());
        left -= count;
        final IncomingMessage message = current;
        if (message != null && count > 0) {
            keep(message, in, count);
        }
        return left == 0;
    }

    private void keep(final IncomingMessage message, final ByteBuf in, final int count) {
        if (message.refusal() == null) {
            final long more = counted(message.length() + (long) count) - counted(message.length());
            if (more > 0 && !(heldLength + more <= limits.heldLengthMax() && budget.add(more))) {
                refuse(message, MessageSink.Refusal.NO_ROOM);
            } else {
                heldLength += more;
            }
        }
        final int kept = message.refusal() == null
                ? count
                : Math.min(count, Math.max(0, IncomingMessage.BEGIN_LENGTH - message.length()));
        if (kept > 0) {
            final int staged = message.append(in, kept, left, allocator);
            if (staged > 0) {
                sink.onStaged(staged);
            }
        }
        in.skipBytes(count - kept);
    }

    private void end(final MessageHeader ended) throws ProtocolException {
        final IncomingMessage message = current;
        header = null;
        current = null;
        if (message == null) {
            throw new IllegalStateException("a part has come of no message");
        }
        if (!ended.hasMore()) {
            forget(ended, message);
            head.clear();
            complete(message);
            return;
        }
        if (ended.type() != MessageType.FRAGMENT) {
            await(message);
        }
        head.clear();
    }

    private void forget(final MessageHeader ended, final IncomingMessage message) {
        if (ended.type() != MessageType.FRAGMENT) {
            return;
        }
        if (message.equals(fragmentedWithoutId)) {
            fragmentedWithoutId = null;
        } else {
            fragmented.remove(fragmentId(ended));
        }
    }

    private int fragmentId(final MessageHeader fragment) {
        return fragment.isLittleEndian() ? head.getIntLE(MessageHeader.LENGTH) : head.getInt(MessageHeader.LENGTH);
    }

    private void await(final IncomingMessage message) throws ProtocolException {
        if (message.header().minor() < 2) {
            fragmentedWithoutId = message;
            isFragmentedCancelled = false;
            return;
        }
        if (message.length() < MessageHeader.FRAGMENT_ID_LENGTH) {
            drop(message);
            throw new ProtocolException("no room for a message's number");
        }
        final IncomingMessage other = fragmented.put(message.id(), message);
        if (other != null) {
            drop(other);
            throw new ProtocolException("a second message with the number of one that has come in part");
        }
        if (fragmented.size() > limits.fragmentedCountMax()) {
            throw new ProtocolException("more messages in part than " + limits.fragmentedCountMax());
        }
        if (fragmented.size() > 1) {
            if (!budget.add(IncomingMessage.BEGIN_LENGTH)) {
                throw new ProtocolException("no room for another message in part");
            }
            heldLength += IncomingMessage.BEGIN_LENGTH;
            message.countBegin();
        }
    }

    private void complete(final IncomingMessage message) throws ProtocolException {
        final int length = message.length();
        final ByteBuf all = message.take(allocator);
        try {
            final MessageSink.Refusal refusal = message.refusal();
            final CdrReader body =
                    new CdrReader(all, message.header().isLittleEndian(), MessageHeader.LENGTH, message.fragments());
            if (refusal != null) {
                sink.onRefused(message.header(), body, refusal);
            } else {
                cancelWhenAsked(message.header(), all);
                sink.onMessage(message.header(), body, length);
            }
        } finally {
            all.release();
            giveBack(counted(length) + message.beginCounted());
        }
    }

    private void handOver(final MessageHeader whole, final ByteBuf body) throws ProtocolException {
        cancelWhenAsked(whole, body);
        sink.onMessage(whole, new CdrReader(body, whole.isLittleEndian()), whole.length());
    }

    /** A request of which fragments are missing may be given up instead of sent to its end. */
    private void cancelWhenAsked(final MessageHeader whole, final ByteBuf body) {
        if (whole.type() == MessageType.CANCEL_REQUEST && body.readableBytes() >= Integer.BYTES) {
            final IncomingMessage given = fragmented.remove(
                    whole.isLittleEndian() ? body.getIntLE(body.readerIndex()) : body.getInt(body.readerIndex()));
            if (given != null) {
                drop(given);
            }
        }
    }

    private void drop(final IncomingMessage message) {
        message.release();
        giveBack(counted(message.length()) + message.beginCounted());
    }

    /** Whether something has come in part, and the rest is to come. */
    public boolean isInMessage() {
        return header != null || head.isReadable() || fragmentedWithoutId != null || !fragmented.isEmpty();
    }

    /** Gives up what has come in part. Idempotent. */
    public void release() {
        final IncomingMessage partial = current;
        current = null;
        header = null;
        if (partial != null && !partial.equals(fragmentedWithoutId) && !fragmented.containsValue(partial)) {
            drop(partial);
        }
        final IncomingMessage alone = fragmentedWithoutId;
        fragmentedWithoutId = null;
        if (alone != null) {
            drop(alone);
        }
        fragmented.values().forEach(this::drop);
        fragmented.clear();
    }
}
