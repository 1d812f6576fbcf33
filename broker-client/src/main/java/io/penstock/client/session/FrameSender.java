package io.penstock.client.session;

import io.penstock.client.sink.BlockConnection;
import io.penstock.transport.Connection;
import io.penstock.transport.LentMemory;
import java.io.IOException;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the sending half of a session. Numbers the commands, and offers their frames to the connection. Owned by the
 * session; nothing is taken before the logon is answered.
 */
public final class FrameSender implements BlockConnection {
    private static final DirectBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final SessionTimes times;
    private final FrameMemory staged = new FrameMemory();
    private final FrameMemory single = new FrameMemory();
    private final LargeFrame large = new LargeFrame();
    private final BlockFrames blockFrames = new BlockFrames();

    private @Nullable Connection connection;
    private boolean isLoggedOn;
    private long nextCommandId = 1;
    private int messageLengthMax;

    FrameSender(final SessionTimes times, final int messageLengthMax) {
        this.times = times;
        this.messageLengthMax = messageLengthMax;
    }

    /** Null when there is none. */
    @Nullable
    Connection connection() {
        return connection;
    }

    boolean isLoggedOn() {
        return isLoggedOn;
    }

    int messageLengthMax() {
        return messageLengthMax;
    }

    void onConnect(final Connection newConnection) {
        single.ensureLength(newConnection.bestSendLength());
        connection = newConnection;
    }

    void onLogon(final int newMessageLengthMax) {
        messageLengthMax = newMessageLengthMax;
        isLoggedOn = true;
    }

    void onDisconnect() {
        connection = null;
        isLoggedOn = false;
        large.reset();
    }

    /** Internal: see {@link io.penstock.client.ClientSession#offerPublish}. */
    public long offerPublish(
            final DirectBuffer topic,
            final int topicOffset,
            final int topicLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final int ackTypes,
            final long publisherSequence) {
        PublishFrame.checkLengths(topicLength, length, messageLengthMax);
        final int frameLength = PublishFrame.length(topicLength, length);
        final boolean isLarge = connection != null && frameLength > connection.bestSendLength();
        if (!isReady(isLarge)) {
            return refusal();
        }
        final MutableDirectBuffer frame = (isLarge ? staged : single).ensureLength(frameLength);
        PublishFrame.write(
                frame, 0, topic, topicOffset, topicLength, payload, offset, length, publisherSequence, ackTypes);
        return isLarge ? startLarge(frame, 0, frameLength) : offerFrame(frame, 0, frameLength);
    }

    /** Internal: see {@link io.penstock.client.ClientSession#offerPublishState}. */
    public long offerPublishState(
            final DirectBuffer topic,
            final int topicOffset,
            final int topicLength,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final boolean isDelta,
            final long expirationMs,
            final int ackTypes,
            final long publisherSequence) {
        PublishFrame.checkLengths(topicLength + keyLength, length, messageLengthMax);
        final int frameLength = PublishFrame.stateLength(topicLength, keyLength, length);
        final boolean isLarge = connection != null && frameLength > connection.bestSendLength();
        if (!isReady(isLarge)) {
            return refusal();
        }
        final MutableDirectBuffer frame = (isLarge ? staged : single).ensureLength(frameLength);
        PublishFrame.writeState(
                frame,
                0,
                topic,
                topicOffset,
                topicLength,
                key,
                keyOffset,
                keyLength,
                payload,
                offset,
                length,
                isDelta,
                expirationMs,
                publisherSequence,
                ackTypes);
        return isLarge ? startLarge(frame, 0, frameLength) : offerFrame(frame, 0, frameLength);
    }

    /**
     * Internal: offers a command, whose bytes are free again on return.
     *
     * @param frame without a command id, which is written into it.
     * @return the command id, or a negative number.
     */
    public long offerFrame(final CommandFrame frame) {
        return offerFrame(frame.buffer(), 0, frame.length());
    }

    /**
     * Internal: offers a command of at most one part, whose bytes are free again on return. Its id is written into it.
     *
     * @param frame  holding the command.
     * @param index  of its first byte.
     * @param length in bytes.
     * @return the command id, or a negative number.
     */
    public long offerFrame(final MutableDirectBuffer frame, final int index, final int length) {
        if (connection == null || !isReady(false)) {
            return refusal();
        }
        frame.putLong(index + CommandFrame.COMMAND_ID_OFFSET, nextCommandId, ByteOrder.LITTLE_ENDIAN);
        final long position = send(connection, frame, index, length);
        return position < 0 ? position : nextCommandId++;
    }

    /**
     * Internal: offers a command of any length, whose bytes are in use until {@link #isLargeActive()} is false. Its id is
     * written into it.
     *
     * @param frame  holding the command.
     * @param index  of its first byte.
     * @param length in bytes.
     * @return the command id, or a negative number.
     */
    public long offerLarge(final MutableDirectBuffer frame, final int index, final int length) {
        return isReady(true) ? startLarge(frame, index, length) : refusal();
    }

    /** Internal: whether bytes of a large frame are still needed. */
    public boolean isLargeActive() {
        return large.isActive();
    }

    /** Sends parts of a large frame, as many as the connection takes, and returns their number. */
    int sendLarge(final Connection to) {
        final int partCount = large.send(to);
        if (partCount > 0) {
            times.onSent();
        }
        return partCount;
    }

    /** Sends what goes before the logon is answered, and has a command id; returns false when there is no room now. */
    boolean sendLogon(final Connection to, final CommandFrame logon) {
        logon.buffer().putLong(CommandFrame.COMMAND_ID_OFFSET, nextCommandId, ByteOrder.LITTLE_ENDIAN);
        final boolean isSent = send(to, logon.buffer(), 0, logon.length()) >= 0;
        if (isSent) {
            nextCommandId++;
        }
        return isSent;
    }

    /** Sends a frame without a command id between those of a large one; returns false when there is no room now. */
    boolean sendHeartbeat(final Connection to, final CommandFrame heartbeat) {
        return !large.isPartial() && send(to, heartbeat.buffer(), 0, heartbeat.length()) >= 0;
    }

    @Override
    public long offerOpenSink(
            final int writerId,
            final String sink,
            final String producer,
            final String memoryKey,
            final long memoryLength) {
        return offerFrame(CommandFrame.openSink(writerId, sink, producer, memoryKey, memoryLength));
    }

    @Override
    public long offerCloseSink(final int writerId) {
        return offerFrame(CommandFrame.closeSink(writerId));
    }

    @Override
    public @Nullable LentMemory lendMemory(final int length) throws IOException {
        return connection == null ? null : connection.lendMemory(length);
    }

    @Override
    public long offerBlock(
            final int writerId, final long blockId, final long memoryOffset, final int length, final int checksum) {
        blockFrames.offer(writerId, blockId, memoryOffset, length, checksum);
        return offerFrame(blockFrames.buffer(), 0, BlockFrames.OFFER_LENGTH);
    }

    @Override
    public int blockPartLength() {
        return connection == null ? 1 : BlockFrames.partLength(connection.bestSendLength());
    }

    @Override
    public boolean offerBlockData(
            final int writerId, final long blockId, final int offset, final DirectBuffer block, final int length) {
        if (connection == null || !isReady(false)) {
            return false;
        }
        blockFrames.data(writerId, blockId, offset);
        final boolean isTaken =
                connection.offer(blockFrames.buffer(), 0, BlockFrames.DATA_LENGTH, block, offset, length, 0) >= 0;
        if (isTaken) {
            times.onSent();
        }
        return isTaken;
    }

    private long startLarge(final MutableDirectBuffer frame, final int index, final int length) {
        frame.putLong(index + CommandFrame.COMMAND_ID_OFFSET, nextCommandId, ByteOrder.LITTLE_ENDIAN);
        large.start(frame, index, length);
        if (connection != null) {
            large.send(connection);
        }
        times.onSent();
        return nextCommandId++;
    }

    private boolean isReady(final boolean isLarge) {
        return isLoggedOn && !(isLarge ? large.isActive() : large.isPartial());
    }

    private long refusal() {
        return connection == null ? Connection.CLOSED : Connection.BACK_PRESSURED;
    }

    private long send(final Connection to, final DirectBuffer frame, final int index, final int length) {
        final long position = to.offer(frame, index, length, EMPTY, 0, 0, 0);
        if (position >= 0) {
            times.onSent();
        }
        return position;
    }

    /** Whether everything that was offered has been handed to the medium. */
    boolean isFlushed() {
        return connection == null || (!large.isActive() && connection.isFlushed());
    }

    /** Frees all memory, once the medium uses none of it any more. */
    void close() {
        onDisconnect();
        staged.close();
        single.close();
    }
}
