package io.penstock.broker.cluster;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The beginning of a command: who has handed it over, and which one of theirs it is.
 *
 * <pre>
 *   0        2        4        6        8        10       12       16               24               32       36       40
 *  +--------+--------+--------+--------+--------+--------+--------+----------------+----------------+--------+--------+-----
 *  | block  | templ. | schema | version| member | agent  | shard  | incarnation    | number         | perm.  | count  | entries
 *  +--------+--------+--------+--------+--------+--------+--------+----------------+----------------+--------+--------+-----
 * </pre>
 *
 * The first four are those of every frame of the project. Member, I/O agent and shard are an origin, which numbers its
 * commands from 1 without gaps. The incarnation is another one, and a greater one, when the member was started again. Then
 * come the version of the permissions by which the messages were allowed, and how many entries follow. All fields are little
 * endian.
 */
final class CommandHeader {
    /** Of a batch of messages. */
    static final short TEMPLATE_BATCH = 1;

    static final short SCHEMA_ID = 20;
    static final short VERSION = 1;

    static final int BLOCK_LENGTH_OFFSET = 0;
    static final int TEMPLATE_OFFSET = BLOCK_LENGTH_OFFSET + Short.BYTES;
    static final int SCHEMA_OFFSET = TEMPLATE_OFFSET + Short.BYTES;
    static final int VERSION_OFFSET = SCHEMA_OFFSET + Short.BYTES;
    static final int MEMBER_OFFSET = VERSION_OFFSET + Short.BYTES;
    static final int AGENT_OFFSET = MEMBER_OFFSET + Short.BYTES;
    static final int SHARD_OFFSET = AGENT_OFFSET + Short.BYTES;
    static final int INCARNATION_OFFSET = SHARD_OFFSET + Integer.BYTES;
    static final int NUMBER_OFFSET = INCARNATION_OFFSET + Long.BYTES;
    static final int PERMISSIONS_OFFSET = NUMBER_OFFSET + Long.BYTES;
    static final int COUNT_OFFSET = PERMISSIONS_OFFSET + Integer.BYTES;
    static final int LENGTH = COUNT_OFFSET + Integer.BYTES;

    private CommandHeader() {}

    static void put(
            final MutableDirectBuffer buffer,
            final int offset,
            final int member,
            final int agent,
            final long incarnation,
            final long number,
            final int count) {
        buffer.putShort(offset + BLOCK_LENGTH_OFFSET, (short) (LENGTH - MEMBER_OFFSET), LITTLE_ENDIAN);
        buffer.putShort(offset + TEMPLATE_OFFSET, TEMPLATE_BATCH, LITTLE_ENDIAN);
        buffer.putShort(offset + SCHEMA_OFFSET, SCHEMA_ID, LITTLE_ENDIAN);
        buffer.putShort(offset + VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
        buffer.putShort(offset + MEMBER_OFFSET, (short) member, LITTLE_ENDIAN);
        buffer.putShort(offset + AGENT_OFFSET, (short) agent, LITTLE_ENDIAN);
        buffer.putInt(offset + SHARD_OFFSET, 0, LITTLE_ENDIAN);
        buffer.putLong(offset + INCARNATION_OFFSET, incarnation, LITTLE_ENDIAN);
        buffer.putLong(offset + NUMBER_OFFSET, number, LITTLE_ENDIAN);
        buffer.putInt(offset + PERMISSIONS_OFFSET, 0, LITTLE_ENDIAN);
        buffer.putInt(offset + COUNT_OFFSET, count, LITTLE_ENDIAN);
    }

    static int member(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + MEMBER_OFFSET, LITTLE_ENDIAN);
    }

    static int agent(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + AGENT_OFFSET, LITTLE_ENDIAN);
    }

    static long incarnation(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + INCARNATION_OFFSET, LITTLE_ENDIAN);
    }

    static long number(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + NUMBER_OFFSET, LITTLE_ENDIAN);
    }

    static int count(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + COUNT_OFFSET, LITTLE_ENDIAN);
    }
}
