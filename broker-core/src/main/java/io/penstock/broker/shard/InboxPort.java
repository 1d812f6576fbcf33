package io.penstock.broker.shard;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.broker.topic.TopicTable;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/** The way to a sequencer on another thread, through its inbox. Owned by one I/O agent. */
public final class InboxPort implements ShardPort {
    private final int shard;
    private final int ioAgent;
    private final Sequencer sequencer;
    private final Inbox inbox;
    private final AtomicCounter payloadBytesCopied;
    private final Runnable wakeup;
    private long submitted;
    private long processed;
    private long signalled;
    private boolean commandOffered;

    public InboxPort(
            final int shard,
            final int ioAgent,
            final Sequencer sequencer,
            final Inbox inbox,
            final AtomicCounter payloadBytesCopied,
            final Runnable wakeup) {
        this.shard = shard;
        this.ioAgent = ioAgent;
        this.sequencer = sequencer;
        this.inbox = inbox;
        this.payloadBytesCopied = payloadBytesCopied;
        this.wakeup = wakeup;
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
        if (!inbox.offer(ioAgent, publication)) {
            return false;
        }
        submitted++;
        payloadBytesCopied.getAndAddPlain(publication.payloadLength());
        return true;
    }

    @Override
    public boolean publishStaged(final Publication publication, final StagingSlot slot) {
        if (!inbox.offerStaged(ioAgent, publication, slot)) {
            return false;
        }
        submitted++;
        return true;
    }

    @Override
    public long submitted() {
        return submitted;
    }

    @Override
    public Duplicates duplicates() {
        return inbox.duplicates(ioAgent);
    }

    @Override
    public long appliedSequence(final long submission) {
        return inbox.applied(ioAgent).get(submission, submitted);
    }

    @Override
    public void sync() {
        processed = inbox.processed(ioAgent);
    }

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
        if (!sequencer.offer(command)) {
            return false;
        }
        commandOffered = true;
        return true;
    }

    @Override
    public void signal() {
        if (submitted != signalled || commandOffered) {
            signalled = submitted;
            commandOffered = false;
            wakeup.run();
        }
    }
}
