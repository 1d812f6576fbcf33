package io.penstock.broker.journal.snapshot;

import java.io.IOException;

/**
 * A file with a shard's state has changed since it was written. The message names the file, the place and what is
 * wrong.
 */
public final class SnapshotCorruptException extends IOException {
    private static final long serialVersionUID = 1;

    SnapshotCorruptException(final String path, final long position, final String reason) {
        super("snapshot: corrupt: " + path + ": at byte " + position + ": " + reason);
    }
}
