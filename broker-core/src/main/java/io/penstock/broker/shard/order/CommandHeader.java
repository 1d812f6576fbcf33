package io.penstock.broker.shard.order;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What each command of an ordered log begins with: its kind, who has handed it over, and as which of its commands. Little endian.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |     Length of this header     |           Template            |
 *  +---------------------------------------------------------------+
 *  |            Schema             |            Version            |
 *  +---------------------------------------------------------------+
 *  |            Member             |           I/O agent           |
 *  +---------------------------------------------------------------+
 *  |                            Shard                              |
 *  +---------------------------------------------------------------+
 *  |                         Incarnation                           |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                           Number                              |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                  Version of permissions                       |
 *  +---------------------------------------------------------------+
 *  |                      Count of entries                         |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class CommandHeader {
    /** In bytes. */
    public static final int LENGTH = 40;

    /** Each part of a command begins at a multiple of this. */
    public static final int ALIGNMENT = 8;

    /** Tells these bytes from all others. */
    public static final int SCHEMA = 0x5043;

    /** Of the format; a command of another one is refused. */
    public static final int VERSION = 1;

    /** Messages, and deletes of keys. */
    public static final int TEMPLATE_BATCH = 1;

    /** A part of a message that is too long for a batch. */
    public static final int TEMPLATE_PIECE = 2;

    /** Creates a topic. */
    public static final int TEMPLATE_TOPIC = 3;

    /** Deletes a topic. */
    public static final int TEMPLATE_DELETE_TOPIC = 4;

    /** Gives a named publisher its number. */
    public static final int TEMPLATE_OPEN_PUBLISHER = 5;

    /** Takes back that sequences of a publisher were applied. */
    public static final int TEMPLATE_RESET_PUBLISHER = 6;

    /** Deletes records. */
    public static final int TEMPLATE_DELETE = 7;

    /** Time has passed. */
    public static final int TEMPLATE_TICK = 8;

    /** Kept for views that come and go at run time. */
    public static final int TEMPLATE_VIEW = 9;

    /** Kept for permissions. */
    public static final int TEMPLATE_PERMISSIONS = 10;

    /** Kept for what has to be equal on all nodes. */
    public static final int TEMPLATE_SETTINGS = 11;

    /** Kept for who answers requests. */
    public static final int TEMPLATE_RESPONDERS = 12;

    /** Kept for a member that will not come again. */
    public static final int TEMPLATE_GONE = 13;

    /** The highest number of a member. */
    public static final int MEMBER_MAX = 30;

    /** The highest index of an I/O agent. */
    public static final int IO_AGENT_MAX = 63;

    /** In place of an I/O agent's index: a sequencer, which hands in ticks. They have no numbers. */
    public static final int TICK_AGENT = 0xFFFF;

    /** A batch is closed when it is longer. In bytes. */
    public static final int BATCH_LENGTH = 30 * 1024;

    /** Bytes of a message in one piece. */
    public static final int PIECE_LENGTH_MAX = 256 * 1024;

    /** No command is longer. In bytes: a whole piece with its header, or one message of a batch of its own. */
    public static final int COMMAND_LENGTH_MAX = PIECE_LENGTH_MAX + 4 * 1024;

    private static final int BLOCK_LENGTH_OFFSET = 0;
    private static final int TEMPLATE_OFFSET = BLOCK_LENGTH_OFFSET + SIZE_OF_SHORT;
    private static final int SCHEMA_OFFSET = TEMPLATE_OFFSET + SIZE_OF_SHORT;
    private static final int VERSION_OFFSET = SCHEMA_OFFSET + SIZE_OF_SHORT;
    private static final int MEMBER_OFFSET = VERSION_OFFSET + SIZE_OF_SHORT;
    private static final int IO_AGENT_OFFSET = MEMBER_OFFSET + SIZE_OF_SHORT;
    private static final int SHARD_OFFSET = IO_AGENT_OFFSET + SIZE_OF_SHORT;
    private static final int INCARNATION_OFFSET = SHARD_OFFSET + SIZE_OF_INT;
    private static final int NUMBER_OFFSET = INCARNATION_OFFSET + SIZE_OF_LONG;
    private static final int PERMISSIONS_OFFSET = NUMBER_OFFSET + SIZE_OF_LONG;
    private static final int COUNT_OFFSET = PERMISSIONS_OFFSET + SIZE_OF_INT;

    private CommandHeader() {}

    /**
     * Writes the header of a command that has no entries yet.
     *
     * @param buffer   to write to.
     * @param offset   of the command.
     * @param template kind of it.
     * @param origin   that hands it over.
     * @param number   of it among those of its origin, from 1; 0 for a tick.
     */
    public static void put(
            final MutableDirectBuffer buffer,
            final int offset,
            final int template,
            final CommandOrigin origin,
            final long number) {
        buffer.putShort(offset + BLOCK_LENGTH_OFFSET, (short) LENGTH, LITTLE_ENDIAN);
        buffer.putShort(offset + TEMPLATE_OFFSET, (short) template, LITTLE_ENDIAN);
        buffer.putShort(offset + SCHEMA_OFFSET, (short) SCHEMA, LITTLE_ENDIAN);
        buffer.putShort(offset + VERSION_OFFSET, (short) VERSION, LITTLE_ENDIAN);
        buffer.putShort(offset + MEMBER_OFFSET, (short) origin.member(), LITTLE_ENDIAN);
        buffer.putShort(offset + IO_AGENT_OFFSET, (short) origin.ioAgent(), LITTLE_ENDIAN);
        buffer.putInt(offset + SHARD_OFFSET, origin.shard(), LITTLE_ENDIAN);
        buffer.putLong(offset + INCARNATION_OFFSET, origin.incarnation(), LITTLE_ENDIAN);
        buffer.putLong(offset + NUMBER_OFFSET, number, LITTLE_ENDIAN);
        buffer.putInt(offset + PERMISSIONS_OFFSET, 0, LITTLE_ENDIAN);
        buffer.putInt(offset + COUNT_OFFSET, 0, LITTLE_ENDIAN);
    }

    /** Says how many entries follow. */
    public static void count(final MutableDirectBuffer buffer, final int offset, final int count) {
        buffer.putInt(offset + COUNT_OFFSET, count, LITTLE_ENDIAN);
    }

    static int blockLength(final DirectBuffer buffer, final int offset) {
        return unsigned(buffer, offset + BLOCK_LENGTH_OFFSET);
    }

    /** The kind of a command. */
    public static int template(final DirectBuffer buffer, final int offset) {
        return unsigned(buffer, offset + TEMPLATE_OFFSET);
    }

    static int schema(final DirectBuffer buffer, final int offset) {
        return unsigned(buffer, offset + SCHEMA_OFFSET);
    }

    static int version(final DirectBuffer buffer, final int offset) {
        return unsigned(buffer, offset + VERSION_OFFSET);
    }

    /** The node that has handed it over. */
    public static int member(final DirectBuffer buffer, final int offset) {
        return unsigned(buffer, offset + MEMBER_OFFSET);
    }

    /** The index of the I/O agent that has handed it over, or {@link #TICK_AGENT}. */
    public static int ioAgent(final DirectBuffer buffer, final int offset) {
        return unsigned(buffer, offset + IO_AGENT_OFFSET);
    }

    /** The shard that it is for. */
    public static int shard(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + SHARD_OFFSET, LITTLE_ENDIAN);
    }

    /** The start of the node that has handed it over. */
    public static long incarnation(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + INCARNATION_OFFSET, LITTLE_ENDIAN);
    }

    /** Which of its origin's commands it is, from 1. */
    public static long number(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + NUMBER_OFFSET, LITTLE_ENDIAN);
    }

    /** How many entries follow. */
    public static int count(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + COUNT_OFFSET, LITTLE_ENDIAN);
    }

    private static int unsigned(final DirectBuffer buffer, final int at) {
        return buffer.getShort(at, LITTLE_ENDIAN) & 0xFFFF;
    }
}
