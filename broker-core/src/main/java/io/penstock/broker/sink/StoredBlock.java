package io.penstock.broker.sink;

/**
 * A piece of a sink's file that is one block.
 *
 * @param offset   of its first byte in the file.
 * @param length   in bytes.
 * @param checksum CRC32C of its bytes.
 */
public record StoredBlock(long offset, int length, int checksum) {}
