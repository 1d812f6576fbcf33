package io.penstock.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A snapshot of a shard's state as its file has it, read by what the documentation says and by none of the broker's code. */
@SuppressWarnings("ByteBufferBackingArray") // All buffers here are made by wrap.
final class ModelSnapshot {
    private static final int NAME_LENGTH = 30;
    private static final int BLOCK_HEADER_LENGTH = 24;
    private static final int KIND_HEAD = 1;
    private static final int KIND_ENTRIES = 2;
    private static final int KIND_TRAILER = 3;

    final long sequence;

    /** Names by their numbers, from 0. */
    final List<String> topics = new ArrayList<>();

    /** Last sequences by the names of publishers. */
    final Map<String, Long> publishers = new HashMap<>();

    /** Records by their topics and keys. */
    final Map<String, Map<String, Row>> rows = new TreeMap<>();

    private final String name;
    private final ByteBuffer bytes;
    private long entryCount;

    /** A record, with a time at which it expires, or never, and its members. */
    record Row(long expiresNs, Map<String, String> record) {
        static final long NEVER = Long.MAX_VALUE;
    }

    private ModelSnapshot(final String name, final SimFile file) {
        this.name = name;
        sequence = sequence(name);
        bytes = ByteBuffer.wrap(file.bytes(), 0, file.length()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The sequences of a directory's snapshots, the oldest first. */
    static List<Long> sequences(final SimDisk.Directory directory) {
        final List<Long> sequences = new ArrayList<>();
        for (final String name : directory.entries.keySet()) {
            if (isSnapshot(name)) {
                sequences.add(sequence(name));
            }
        }
        return sequences;
    }

    static boolean isSnapshot(final String name) {
        return name.length() == NAME_LENGTH && name.endsWith(".snap");
    }

    static String name(final long sequence) {
        return String.format("state-%019d.snap", sequence);
    }

    static long sequence(final String name) {
        return Long.parseLong(name.substring(6, 25));
    }

    /** Reads a file. Throws when it is not whole. */
    static ModelSnapshot read(final String name, final SimFile file) {
        final ModelSnapshot snapshot = new ModelSnapshot(name, file);
        try {
            snapshot.read();
        } catch (final IndexOutOfBoundsException e) {
            throw new Violation(name + ": ends too early", e);
        }
        return snapshot;
    }

    private void read() {
        int at = 0;
        int kind = 0;
        for (int index = 0; kind != KIND_TRAILER; index++) {
            final int length = bytes.getInt(at);
            check(length >= BLOCK_HEADER_LENGTH && length <= bytes.limit() - at, "a block of length " + length);
            check(bytes.getInt(at + 12) == ModelLog.checksum(bytes, at, length, at + 12), "the checksum at " + at);
            check(bytes.getInt(at + 4) == index, "the index of block " + index);
            check(bytes.getLong(at + 16) == sequence, "the sequence of block " + index);
            kind = bytes.getInt(at + 8);
            check((kind == KIND_HEAD) == (index == 0), "the kind of block " + index);
            final int content = at + BLOCK_HEADER_LENGTH;
            at += length;
            switch (kind) {
                case KIND_HEAD -> check(bytes.getLong(content) == 0x45544154534E4550L, "the magic");
                case KIND_ENTRIES -> readEntries(content, at);
                default -> {
                    check(kind == KIND_TRAILER, "kind " + kind);
                    check(bytes.getLong(content) == entryCount, "the count of entries");
                    check(bytes.getLong(content + 8) == at && at == bytes.limit(), "the length");
                }
            }
        }
    }

    private void readEntries(final int from, final int end) {
        int at = from;
        while (at < end) {
            final int length = bytes.getInt(at);
            check(length >= 8 && length <= end - at, "an entry of length " + length);
            readEntry(bytes.getInt(at + 4), at + 8, length - 8);
            entryCount++;
            at += (length + 7) & -8;
        }
    }

    private void readEntry(final int type, final int at, final int length) {
        switch (type) {
            case 1 -> topics.add(text(at + 2, bytes.getShort(at)));
            case 2 -> {
                final String publisher = ModelState.publisherName(text(at + 8, length - 8));
                check(publishers.put(publisher, bytes.getLong(at)) == null, publisher + " twice");
            }
            case 3 -> {
                check(bytes.getLong(at) <= sequence, "a later record");
                final String topic = topics.get(bytes.getInt(at + 24));
                final int keyLength = bytes.getShort(at + 28) & 0xFFFF;
                final int headersLength = bytes.getShort(at + 30) & 0xFFFF;
                final String message = text(at + 32 + keyLength, length - 32 - keyLength - headersLength);
                final Map<String, String> record = Json.parse(message);
                Message.checkHeaders(name, topic, message, bytes.array(), at + length - headersLength, headersLength);
                final String key = Topics.key(topic, text(at + 32, keyLength), record);
                final Row row = new Row(bytes.getLong(at + 16), record);
                check(
                        rows.computeIfAbsent(topic, of -> new TreeMap<>()).put(key, row) == null,
                        "the record of " + key + " twice");
            }
            default -> check(false, "an entry of type " + type);
        }
    }

    private String text(final int at, final int length) {
        return new String(bytes.array(), at, length, UTF_8);
    }

    private void check(final boolean isRight, final String what) {
        if (!isRight) {
            throw new Violation(name + ": is not whole: " + what);
        }
    }
}
