package io.penstock.broker.sink;

/**
 * What a record of an index says.
 *
 * @param type     {@link IndexRecord#TYPE_BLOCK} or {@link IndexRecord#TYPE_MARK}.
 * @param number   of the block, from 1; of a mark, that of the last block.
 * @param settled  blocks up to this number were stored for good when the record was written.
 * @param offset   of the block in the file.
 * @param blockId  that the producer gave.
 * @param timeNs   when it was stored, nanoseconds since 1970.
 * @param length   of the block in bytes.
 * @param checksum CRC32C of the block.
 * @param name     user and producer, with {@link IndexRecord#NAME_SEPARATOR} between them.
 */
public record IndexEntry(
        int type,
        long number,
        long settled,
        long offset,
        long blockId,
        long timeNs,
        int length,
        int checksum,
        String name) {
    /** Whether it is about a block. */
    public boolean isBlock() {
        return type == IndexRecord.TYPE_BLOCK;
    }

    /** Where the block ends in the file. */
    public long end() {
        return offset + length;
    }

    /** The producer, without the user. */
    public String producer() {
        return name.substring(name.indexOf(IndexRecord.NAME_SEPARATOR) + 1);
    }
}
