package io.penstock.broker.agent;

import io.penstock.broker.concurrent.Waits;
import io.penstock.broker.concurrent.Waker;
import io.penstock.broker.shard.recovery.ShardJournal;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * Writes the windows of journaled shards to files, and says how far they are on stable storage. While it waits for the
 * disk records gather, to be written and synced together.
 */
final class Journaler implements Agent {
    /** How long it sleeps at most when something has to be written within an interval: as much may come meanwhile. */
    private static final long PENDING_WAIT_MAX_NS = 1_000_000;

    private final NanoClock clock;
    private final Waker waker;
    private final Runnable onDurable;
    private final List<ShardJournal> journals = new ArrayList<>();

    /**
     * @param waker     that sequencers wake after they have published.
     * @param onDurable wakes agents that wait for records to be durable.
     */
    Journaler(final NanoClock clock, final Waker waker, final Runnable onDurable) {
        this.clock = clock;
        this.waker = waker;
        this.onDurable = onDurable;
    }

    /** Adds a shard. Called before the start. */
    void add(final ShardJournal journal) {
        journals.add(journal);
    }

    boolean isEmpty() {
        return journals.isEmpty();
    }

    @Override
    public int doWork() {
        int workCount = 0;
        boolean committed = false;
        for (int i = 0, size = journals.size(); i < size; i++) {
            final ShardJournal journal = journals.get(i);
            final boolean wasPending = journal.isPending();
            final int count = journal.doWork(clock.nanoTime());
            workCount += count;
            committed |= (wasPending || count > 0) && !journal.isPending();
        }
        if (committed) {
            onDurable.run();
        }
        return workCount;
    }

    /** Waits for records, or for the time at which something is due. */
    void await() {
        long dueInNs = Long.MAX_VALUE;
        boolean blocked = false;
        boolean marking = false;
        final long nowNs = clock.nanoTime();
        for (int i = 0, size = journals.size(); i < size; i++) {
            dueInNs = journals.get(i).isPending()
                    ? Math.min(dueInNs, journals.get(i).dueInNs(nowNs))
                    : dueInNs;
            blocked |= journals.get(i).isBlocked();
            marking |= journals.get(i).isMarkPending();
        }
        if (dueInNs < Long.MAX_VALUE) {
            // Not at the waker: each batch would wake it, and all that comes in an interval is written together.
            waker.sleep(Math.min(dueInNs, PENDING_WAIT_MAX_NS));
        } else if (blocked) {
            waker.sleep(Waits.RETRY_NS);
        } else {
            waker.await(marking ? Waits.MARK_NS : Waits.IDLE_NS);
        }
    }

    /** Gives everything back and writes nothing more: for one that no thread has run. */
    void abandon() {
        for (final ShardJournal journal : journals) {
            journal.abandon();
        }
    }

    @Override
    public void onClose() {
        RuntimeException first = null;
        for (final ShardJournal journal : journals) {
            try {
                journal.close();
            } catch (final RuntimeException e) {
                first = e;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public String roleName() {
        return "journaler";
    }
}
