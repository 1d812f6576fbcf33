package io.penstock.broker.shard.recovery;

import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.journal.snapshot.SnapshotWriter;
import io.penstock.broker.storage.DiskStorage;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file with the state of a shard, written and read as a broker does.
 *
 * @param storage  that has it.
 * @param sequence of the last record that is in it.
 */
public record ImageFile(DiskStorage storage, long sequence) {
    private static final long LOG_ID = 1;

    /** Writes an image. */
    public static ImageFile write(final Path directory, final ShardImage image) throws IOException {
        final DiskStorage storage = DiskStorage.open(directory.toString());
        final SnapshotWriter file = new SnapshotWriter(storage, 0, LOG_ID, image.sequence(), 1, 0);
        final ImageWriter content = new ImageWriter(image, file);
        while (content.write()) {
            // Piece by piece.
        }
        file.finish();
        file.publish();
        return new ImageFile(storage, image.sequence());
    }

    /** Applies the file to a shard that is empty. */
    public void read(final LogReplay shard) throws IOException {
        final ImageReplay image = new ImageReplay(shard);
        try (SnapshotReader reader = new SnapshotReader(storage, 0, LOG_ID, sequence)) {
            while (reader.next()) {
                image.onEntry(reader);
            }
        }
    }
}
