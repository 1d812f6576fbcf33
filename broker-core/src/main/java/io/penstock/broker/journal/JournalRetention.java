package io.penstock.broker.journal;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Removes a shard's oldest files when retention allows it: moves them to the archive, reuses them as the next file, or
 * deletes them. Confined to the keeper.
 */
public final class JournalRetention {
    private final JournalSettings settings;
    private final JournalFiles files;
    private final KnownFiles known;
    private final JournalSpares spares;
    private final @Nullable Storage archive;
    private final JournalHead head = new JournalHead();

    /** A file that is no more of the log, and may still be on the disk. */
    private @Nullable JournalFile going;

    private boolean isGoingUnread;

    /**
     * @param settings says what is to be kept.
     * @param files    of the shard.
     * @param known    notified before a file is removed.
     * @param spares   gets files that nobody reads.
     * @param archive  directory that files are moved to, or null when they are not kept anywhere.
     */
    public JournalRetention(
            final JournalSettings settings,
            final JournalFiles files,
            final KnownFiles known,
            final JournalSpares spares,
            final @Nullable Storage archive) {
        this.settings = settings;
        this.files = files;
        this.known = known;
        this.spares = spares;
        this.archive = archive;
    }

    /**
     * Whether files may go at all.
     *
     * @return false when there is no bound, so that each is kept.
     */
    public boolean isUsed() {
        return settings.retention().length() > 0 || settings.retention().timeNs() > 0;
    }

    /**
     * Lets the oldest file go if it is to go. After a failure it is that file's turn again, so that no later one goes
     * before it.
     *
     * @param nowNs  since 1970.
     * @param needed the first sequence that a start may need, whatever the bounds are.
     * @return whether one went.
     * @throws IOException when the disk fails.
     */
    public boolean release(final long nowNs, final long needed) throws IOException {
        JournalFile file = going;
        if (file == null) {
            final JournalFile[] present = files.snapshot();
            if (present.length < 2 || present[1].firstSequence() > needed || !isDue(present, nowNs)) {
                return false;
            }
            if (archive != null) {
                // The file can be read until the archive has it.
                copy(present[0], archive);
            }
            known.note(present[1].firstSequence(), present[present.length - 1].firstSequence());
            file = files.removeFirst();
            isGoingUnread = file.retire();
            going = file;
        }
        letGo(file, files.storage());
        // One after the other, so that a crash leaves no gap between those that are there.
        files.storage().sync();
        going = null;
        return true;
    }

    private void copy(final JournalFile file, final Storage to) throws IOException {
        if (files.storage().exists(file.indexName())) {
            files.storage().copy(file.indexName(), to);
        }
        files.storage().copy(file.name(), to);
        to.sync();
    }

    /** Does what an attempt before has not done. */
    private void letGo(final JournalFile file, final Storage storage) throws IOException {
        if (storage.exists(file.indexName())) {
            storage.delete(file.indexName());
        }
        if (storage.exists(file.name()) && !recycle(file, storage)) {
            storage.delete(file.name());
        }
    }

    /** One that an archive had got before, and this broker has none, is still the archive's. */
    private boolean recycle(final JournalFile file, final Storage storage) throws IOException {
        return archive == null && isGoingUnread && !storage.isShared(file.name()) && spares.recycle(file.name());
    }

    /** Gives memory back. */
    public void free() {
        head.free();
    }

    private boolean isDue(final JournalFile[] present, final long nowNs) throws IOException {
        final long full = (present.length - 1) * settings.fileLength();
        if (settings.retention().length() > 0 && full > settings.retention().length()) {
            return true;
        }
        if (settings.retention().timeNs() <= 0) {
            return false;
        }
        // The next file was begun when this one was full.
        present[1].readHead(files, head);
        return head.createdNs() < nowNs - settings.retention().timeNs();
    }
}
