package io.penstock.broker.sink;

/**
 * The content of an index record.
 *
 * @param type     {@link IndexRecord#TYPE_BLOCK} or {@link IndexRecord#TYPE_MARK}.
 * @param number   of the block, from 1; of a mark, that of the last block.
 * @param settled  blocks up to this number were stored for good when the record was written.
 * @param block    where it is, and what it is.
 * @param blockId  that the producer gave.
 * @param timeNs   when it was stored, nanoseconds since 1970.
 * @param name     user and producer, with {@link IndexRecord#NAME_SEPARATOR} between them.
 */
public record IndexEntry(
        int type, long number, long settled, StoredBlock block, long blockId, long timeNs, String name) {
    /** Whether it is about a block. */
    public boolean isBlock() {
        return type == IndexRecord.TYPE_BLOCK;
    }

    /** Where the block begins in the file. */
    public long offset() {
        return block.offset();
    }

    /** Length of the block, in bytes. */
    public int length() {
        return block.length();
    }

    /** CRC32C of the block. */
    public int checksum() {
        return block.checksum();
    }

    /** Where the block ends in the file. */
    public long end() {
        return block.offset() + block.length();
    }

    /** The producer, without the user. */
    public String producer() {
        return name.substring(name.indexOf(IndexRecord.NAME_SEPARATOR) + 1);
    }
}
