package io.penstock.simulator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a broker's manifest says of its logs, read by what the documentation says of it. */
final class ModelManifest {
    static final String PREFIX = "manifest.";
    static final int SHARDS_OFFSET = 32;
    static final int SHARD_LENGTH = 16;
    static final int SHARD_COUNT_OFFSET = 12;

    private ModelManifest() {}

    /** The first sequence that the files of a shard have to have, by the half that is written last. */
    static long first(final SimDisk disk, final int shard) {
        final SimFile file = disk.directory(World.DIRECTORY).entries.get(PREFIX + 1);
        return file == null
                ? 0
                : ByteBuffer.wrap(file.bytes())
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong(SHARDS_OFFSET + SHARD_LENGTH * shard);
    }
}
