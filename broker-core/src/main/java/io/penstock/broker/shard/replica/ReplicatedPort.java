package io.penstock.broker.shard.replica;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.shard.Duplicates;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.OrderedCommand;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.broker.topic.TopicTable;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * The way to a shard whose order several nodes make: what changes the log goes to who leads, and comes back decided. Commands of
 * clients alone go to this node's sequencer. Owned by one I/O agent.
 */
final class ReplicatedPort implements ShardPort {
    private final Sequencer sequencer;
    private final CommandBatch batch;
    private final OriginProgress progress;
    private final AtomicCounter payloadBytesCopied;
    private final Runnable wakeup;
    private long submitted;
    private long processed;
    private boolean isCommandOffered;

    ReplicatedPort(
            final Sequencer sequencer,
            final CommandBatch batch,
            final OriginProgress progress,
            final AtomicCounter payloadBytesCopied,
            final Runnable wakeup) {
        this.sequencer = sequencer;
        this.batch = batch;
        this.progress = progress;
        this.payloadBytesCopied = payloadBytesCopied;
        this.wakeup = wakeup;
    }

    @Override
    public int shard() {
        return sequencer.shard().number();
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
        return batch.add(publication) && onTaken(publication);
    }

    @Override
    public boolean publishStaged(final Publication publication, final StagingSlot slot) {
        return batch.addStaged(publication) && onTaken(publication);
    }

    private boolean onTaken(final Publication publication) {
        submitted++;
        payloadBytesCopied.getAndAddPlain(publication.payloadLength());
        return true;
    }

    @Override
    public long submitted() {
        return submitted;
    }

    @Override
    public Duplicates duplicates() {
        return progress.duplicates();
    }

    @Override
    public long appliedSequence(final long submission) {
        return progress.sequences().get(submission, submitted);
    }

    @Override
    public void sync() {
        processed = progress.processed();
        batch.sync();
    }

    @Override
    public long processed() {
        return processed;
    }

    @Override
    public boolean isReplicated() {
        return true;
    }

    @Override
    public boolean isJournaled() {
        return sequencer.isJournaled();
    }

    @Override
    public @Nullable JournalFiles files() {
        return sequencer.files();
    }

    @Override
    public long publishedPosition() {
        return sequencer.shard().published().get();
    }

    /** What is applied is decided, and a majority has it on stable storage. */
    @Override
    public long durablePosition() {
        return publishedPosition();
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
        if (command instanceof OrderedCommand ordered) {
            return batch.add(ordered);
        }
        if (!sequencer.offer(command)) {
            return false;
        }
        isCommandOffered = true;
        return true;
    }

    @Override
    public void signal() {
        batch.send();
        if (isCommandOffered) {
            isCommandOffered = false;
            wakeup.run();
        }
    }
}
