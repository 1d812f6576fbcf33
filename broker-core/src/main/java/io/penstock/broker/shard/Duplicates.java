package io.penstock.broker.shard;

import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reports to an I/O agent which of its messages to a shard were dropped, because their publishers' sequences had been
 * applied before. Adjacent ones are reported together. Written by the shard's sequencer, read by the I/O agent.
 * Bounded: when it is full the sequencer takes no more of that agent's messages until it was read.
 */
public final class Duplicates {
    private static final int RUN_COUNT_MAX = 256;

    private final OneToOneConcurrentArrayQueue<Run> runs = new OneToOneConcurrentArrayQueue<>(RUN_COUNT_MAX);
    private int publisherId;
    private long firstSubmission;
    private long lastSubmission;

    /** None yet. */
    public Duplicates() {}

    /**
     * Adds a message that was dropped. Called by the sequencer.
     *
     * @param submission the count of the agent's submissions with it.
     * @param publisher  of it, in the shard.
     * @return false when there is no room now, and the same message has to be added again.
     */
    public boolean add(final long submission, final int publisher) {
        if (publisherId == publisher && submission == lastSubmission + 1) {
            lastSubmission = submission;
            return true;
        }
        if (!flush()) {
            return false;
        }
        publisherId = publisher;
        firstSubmission = submission;
        lastSubmission = submission;
        return true;
    }

    /**
     * Lets the agent read all that were added. Called by the sequencer, before it says that the messages are processed.
     *
     * @return false when there is no room now.
     */
    public boolean flush() {
        if (publisherId != 0) {
            if (!runs.offer(new Run(publisherId, firstSubmission, lastSubmission))) {
                return false;
            }
            publisherId = 0;
        }
        return true;
    }

    /** The next ones in a row, or null. Called by the I/O agent, after it has looked what is processed. */
    @Nullable
    public Run poll() {
        return runs.poll();
    }

    /**
     * Messages in a row that were dropped.
     *
     * @param publisherId     in the shard.
     * @param firstSubmission the count of submissions with the first of them.
     * @param lastSubmission  with the last one.
     */
    public record Run(int publisherId, long firstSubmission, long lastSubmission) {}
}
