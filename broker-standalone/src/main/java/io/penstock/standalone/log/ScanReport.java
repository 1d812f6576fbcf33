package io.penstock.standalone.log;

import io.penstock.broker.journal.JournalCorruptException;
import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.WorkShare;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The results of reading a whole log.
 *
 * @param shard       whose log it is.
 * @param fileCount   files.
 * @param first       sequence of the first record; 0 for none.
 * @param last        sequence of the last good record.
 * @param recordCount records.
 * @param byteCount   of records.
 * @param durable     the newest record that the log says was on stable storage.
 * @param path        of the file in which it ends.
 * @param position    in that file.
 * @param isTorn      whether bytes follow there that are no record.
 * @param damage      file, record, byte and reason, or null.
 */
record ScanReport(
        int shard,
        long fileCount,
        long first,
        long last,
        long recordCount,
        long byteCount,
        long durable,
        String path,
        long position,
        boolean isTorn,
        @Nullable String damage) {
    private static final int PROGRESS_EACH = 1024;

    /** Reads a log. */
    static ScanReport of(final ShardLog log, final @Nullable ProgressLine progress) throws IOException {
        final WorkShare share = new WorkShare(total(log, progress));
        try (LogScan scan = log.scan()) {
            long first = 0;
            String damage = null;
            try {
                while (scan.next()) {
                    first = first == 0 ? scan.sequence() : first;
                    if (progress != null && scan.recordCount() % PROGRESS_EACH == 0 && progress.isDue()) {
                        progress.draw(String.format(
                                "shard %d: %,d records, %,d MiB, in %s%s",
                                log.shard(),
                                scan.recordCount(),
                                scan.byteCount() >> 20,
                                scan.path(),
                                share.text(scan.recordCount())));
                    }
                }
            } catch (final JournalCorruptException e) {
                damage = String.valueOf(e.getMessage());
            }
            final long count = scan.recordCount();
            return new ScanReport(
                    log.shard(),
                    scan.fileCount(),
                    first,
                    count == 0 ? 0 : first + count - 1,
                    count,
                    scan.byteCount(),
                    scan.durableSequence(),
                    scan.path(),
                    scan.endPosition(),
                    damage == null && scan.isTorn(),
                    damage);
        } catch (final JournalCorruptException e) {
            return new ScanReport(log.shard(), 0, 0, 0, 0, 0, 0, log.path(), 0, false, e.getMessage());
        }
    }

    /** How many records there are to read; to find out where the log ends takes a moment, which only watchers pay. */
    static long total(final ShardLog log, final @Nullable ProgressLine progress) throws IOException {
        return progress != null && progress.isShown() ? log.endingNow().recordCount() : 0;
    }

    String text() {
        final String read = recordCount == 0
                ? String.format("shard %d: no records", shard)
                : String.format(
                        "shard %d: %,d records, %d to %d, %,d bytes, stated to be on stable storage up to %d",
                        shard, recordCount, first, last, byteCount, durable);
        if (damage != null) {
            return read + "; then " + damage;
        }
        return fileCount == 0
                ? read
                : read + "; ends in " + path + " at byte " + position
                        + (isTorn ? ", with bytes behind it that are no record: being written, or cut off" : "");
    }

    /** An object, to be ended. */
    Json json() {
        final Json json = new Json()
                .field("shard", shard)
                .field("files", fileCount)
                .field("records", recordCount)
                .field("first", first)
                .field("last", last)
                .field("recordBytes", byteCount)
                .field("durable", durable)
                .field("endsIn", path)
                .field("endsAt", position)
                .raw("torn", String.valueOf(isTorn));
        return damage == null ? json : json.field("damage", damage);
    }
}
