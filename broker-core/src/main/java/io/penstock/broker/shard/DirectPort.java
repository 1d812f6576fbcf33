package io.penstock.broker.shard;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.broker.topic.TopicTable;
import org.jspecify.annotations.Nullable;

/** The way to a sequencer that runs on the same thread: a message goes from the receive buffer into the log. */
public final class DirectPort implements ShardPort {
    private final int shard;
    private final Sequencer sequencer;
    private final Duplicates duplicates = new Duplicates();
    private final AppliedSequences applied = new AppliedSequences();
    private long submitted;
    private long processed;

    public DirectPort(final int shard, final Sequencer sequencer) {
        this.shard = shard;
        this.sequencer = sequencer;
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public LogWindow window() {
        return sequencer.shard().window();
    }

    @Override
    public TopicTable topics() {
        return sequencer.shard().topics();
    }

    @Override
    public boolean publish(final Publication publication) {
        if (!sequencer.shard().apply(publication)) {
            return false;
        }
        if (sequencer.shard().isDuplicate()) {
            if (!duplicates.add(submitted + 1, publication.publisherId())) {
                return false;
            }
            sequencer.shard().counters().duplicates().incrementPlain();
        }
        submitted++;
        applied.put(submitted, sequencer.shard().appliedSequence());
        return true;
    }

    @Override
    public boolean publishStaged(final Publication publication, final StagingSlot slot) {
        return publish(publication);
    }

    @Override
    public long submitted() {
        return submitted;
    }

    @Override
    public Duplicates duplicates() {
        return duplicates;
    }

    @Override
    public long appliedSequence(final long submission) {
        return applied.get(submission, submitted);
    }

    @Override
    public void sync() {}

    @Override
    public long processed() {
        return processed;
    }

    @Override
    public boolean isJournaled() {
        return sequencer.files() != null;
    }

    @Override
    public @Nullable JournalFiles files() {
        return sequencer.files();
    }

    @Override
    public long publishedPosition() {
        return sequencer.shard().published().get();
    }

    @Override
    public long durablePosition() {
        return sequencer.shard().counters().durablePosition().get();
    }

    @Override
    public long journalStatus() {
        return sequencer.shard().counters().journalStatus().get();
    }

    @Override
    public boolean isAnyLagging() {
        return sequencer.shard().isAnyLagging();
    }

    @Override
    public boolean offer(final ShardCommand command) {
        return sequencer.offer(command);
    }

    /** It runs on the thread of the caller. */
    @Override
    public void signal() {}

    /** The batch has ended. Returns false when this cannot be reported now. */
    boolean onProcessed() {
        if (!duplicates.flush()) {
            return false;
        }
        processed = submitted;
        return true;
    }
}
