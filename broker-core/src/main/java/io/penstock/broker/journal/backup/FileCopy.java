package io.penstock.broker.journal.backup;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** Copies files in pieces and takes their checksums on the way. Confined to one thread. */
final class FileCopy implements Closeable {
    /** The part of a file that tells it from others: of a log file, its head. In bytes. */
    static final int HEAD_LENGTH = AlignedBuffer.BLOCK_LENGTH;

    private static final int PIECE_LENGTH = 1024 * 1024;

    private final CopyListener listener;
    private final AlignedBuffer memory = new AlignedBuffer(PIECE_LENGTH);
    private final MessageDigest digest;

    FileCopy(final CopyListener listener) {
        this.listener = listener;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: every Java has it", e);
        }
    }

    /**
     * Copies a whole file, and puts the copy on stable storage.
     *
     * @return the checksum of its bytes, in hexadecimal digits.
     */
    String copy(final Storage from, final String name, final Storage to) throws IOException {
        try (StoredFile source = from.open(name, false);
                StoredFile target = to.create(name)) {
            final long length = source.length();
            digest.reset();
            copy(source, target, 0, length);
            target.sync();
            return HexFormat.of().formatHex(digest.digest());
        }
    }

    /**
     * Copies the beginning of a file that is being written, with a head that was read before, and zeros up to the file's
     * length; and puts the beginning of both on stable storage.
     *
     * @param head of the file, as it was before its end was looked for.
     * @param end  behind the last byte that is copied.
     * @return the checksum of the copy's bytes, in hexadecimal digits.
     */
    String copyBeginning(final Storage from, final String name, final byte[] head, final long end, final Storage to)
            throws IOException {
        try (StoredFile source = from.open(name, false);
                StoredFile target = to.create(name)) {
            final long length = source.length();
            // What was read may be in the system's cache alone.
            source.sync();
            digest.reset();
            write(target, head);
            copy(source, target, HEAD_LENGTH, end);
            fill(target, end, length);
            target.sync();
            return HexFormat.of().formatHex(digest.digest());
        }
    }

    /** The checksum of a file's bytes, in hexadecimal digits. */
    String checksum(final Storage of, final String name) throws IOException {
        try (StoredFile source = of.open(name, false)) {
            digest.reset();
            for (long at = 0, length = source.length(); at < length; at += PIECE_LENGTH) {
                digest.update(read(source, at, (int) Math.min(PIECE_LENGTH, length - at)));
            }
            return HexFormat.of().formatHex(digest.digest());
        }
    }

    /** The first block of a file, or all of a shorter one. */
    byte[] head(final Storage of, final String name) throws IOException {
        try (StoredFile source = of.open(name, false)) {
            final ByteBuffer bytes = memory.bytes().clear().limit(HEAD_LENGTH);
            final byte[] head = new byte[source.read(bytes, 0)];
            bytes.flip().get(head);
            return head;
        }
    }

    /** Whether two files have the same length and the same first block. */
    boolean isSame(final Storage one, final Storage other, final String name) throws IOException {
        try (StoredFile first = one.open(name, false);
                StoredFile second = other.open(name, false)) {
            if (first.length() != second.length()) {
                return false;
            }
        }
        return Arrays.equals(head(one, name), head(other, name));
    }

    private void copy(final StoredFile source, final StoredFile target, final long from, final long to)
            throws IOException {
        for (long at = from; at < to; at += PIECE_LENGTH) {
            final ByteBuffer piece = read(source, at, (int) Math.min(PIECE_LENGTH, to - at));
            digest.update(piece.duplicate());
            target.write(piece, at);
        }
    }

    private ByteBuffer read(final StoredFile source, final long at, final int length) throws IOException {
        listener.onPiece(length);
        final ByteBuffer piece = memory.bytes().clear().limit(length);
        if (source.read(piece, at) < length) {
            throw new EOFException("a file was cut off while it was read, at byte " + at);
        }
        return piece.flip();
    }

    private void write(final StoredFile target, final byte[] head) throws IOException {
        digest.update(head);
        target.write(memory.bytes().clear().put(head).flip(), 0);
    }

    /** Zeros that the disk need not have: just the last of them is written. */
    private void fill(final StoredFile target, final long from, final long to) throws IOException {
        memory.buffer().setMemory(0, PIECE_LENGTH, (byte) 0);
        for (long at = from; at < to; at += PIECE_LENGTH) {
            digest.update(memory.bytes().clear().limit((int) Math.min(PIECE_LENGTH, to - at)));
        }
        if (to > from) {
            target.write(memory.bytes().clear().limit(1), to - 1);
        }
    }

    @Override
    public void close() {
        memory.free();
    }
}
