package io.penstock.broker.journal;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a shard's oldest files go when they are beyond what is to be kept: into the archive, or to become the next file,
 * or for ever. Confined to the keeper.
 */
public final class JournalRetention {
    private final JournalSettings settings;
    private final JournalFiles files;
    private final JournalSpares spares;
    private final @Nullable Storage archive;
    private final JournalHead head = new JournalHead();

    /**
     * @param settings says what is to be kept.
     * @param files    of the shard.
     * @param spares   gets files that nobody reads.
     * @param archive  directory that files are moved to, or null when they are not kept anywhere.
     */
    public JournalRetention(
            final JournalSettings settings,
            final JournalFiles files,
            final JournalSpares spares,
            final @Nullable Storage archive) {
        this.settings = settings;
        this.files = files;
        this.spares = spares;
        this.archive = archive;
    }

    /**
     * Lets the oldest file go if it is to go.
     *
     * @param nowNs  since 1970.
     * @param needed the first sequence that a start may need, whatever the bounds are.
     * @return whether one went.
     * @throws IOException when the disk fails.
     */
    public boolean release(final long nowNs, final long needed) throws IOException {
        final JournalFile[] present = files.snapshot();
        if (present.length < 2 || present[1].firstSequence() > needed || !isDue(present, nowNs)) {
            return false;
        }
        final JournalFile oldest = files.removeFirst();
        final boolean unread = oldest.retire();
        final Storage storage = files.storage();
        final boolean indexed = storage.list().contains(oldest.indexName());
        if (archive != null) {
            if (indexed) {
                storage.move(oldest.indexName(), archive);
            }
            storage.move(oldest.name(), archive);
            archive.sync();
        } else {
            if (indexed) {
                storage.delete(oldest.indexName());
            }
            if (!unread || !spares.recycle(oldest.name())) {
                storage.delete(oldest.name());
            }
        }
        // One after the other, so that a crash leaves no gap between those that are there.
        storage.sync();
        return true;
    }

    /** Gives memory back. */
    public void free() {
        head.free();
    }

    private boolean isDue(final JournalFile[] present, final long nowNs) throws IOException {
        final long full = (present.length - 1) * settings.fileLength();
        if (settings.retentionLength() > 0 && full > settings.retentionLength()) {
            return true;
        }
        if (settings.retentionNs() <= 0) {
            return false;
        }
        // The next file was begun when this one was full.
        present[1].readHead(files.storage(), files.shard(), head);
        return head.createdNs() < nowNs - settings.retentionNs();
    }
}
