package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.AppliedSequences;
import io.penstock.broker.shard.Duplicates;
import io.penstock.broker.shard.command.OrderedCommand;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * How far the commands of one I/O agent of this node are applied here. Written by the shard's sequencer, read by the agent, but
 * for the commands that wait for their replies, which the agent adds and the sequencer takes.
 */
final class OriginProgress {
    /** Commands other than messages that are under way. */
    private static final int COMMAND_COUNT_MAX = 1024;

    private final OneToOneConcurrentArrayQueue<OrderedCommand> commands =
            new OneToOneConcurrentArrayQueue<>(COMMAND_COUNT_MAX);

    private final Duplicates duplicates = new Duplicates();
    private final AppliedSequences sequences = new AppliedSequences();
    private final AtomicLong appliedNumber = new AtomicLong();
    private final AtomicCounter processed;

    /** The sequencer's: what it has not said yet. */
    private long messageCount;

    private long number;
    private boolean isNotified = true;

    /** @param processed counts the agent's messages that are applied. */
    OriginProgress(final AtomicCounter processed) {
        this.processed = processed;
    }

    /** Whether another command may be handed over whose reply the agent waits for. The agent's. */
    boolean mayAwait() {
        return commands.size() < COMMAND_COUNT_MAX;
    }

    /** A command will be handed over, whose reply the agent waits for. The agent's. */
    void await(final OrderedCommand command) {
        commands.add(command);
    }

    /** How many of its messages are applied. To be asked for before {@link #appliedNumber}. The agent's. */
    long processed() {
        return processed.get();
    }

    /** The number of its last command that is applied as a whole. The agent's. */
    long appliedNumber() {
        return appliedNumber.getAcquire();
    }

    /** Which of its messages were dropped. */
    Duplicates duplicates() {
        return duplicates;
    }

    /** The sequences of its last messages. */
    AppliedSequences sequences() {
        return sequences;
    }

    /** The command that waits for its reply longest. The sequencer's. */
    OrderedCommand awaited() {
        return Objects.requireNonNull(commands.peek(), "a command of this node that nobody waits for");
    }

    /** It is applied. The sequencer's. */
    OrderedCommand takeAwaited() {
        return Objects.requireNonNull(commands.poll(), "a command of this node that nobody waits for");
    }

    /**
     * A message was applied. The sequencer's.
     *
     * @param publisherId of one that was dropped, since its sequence had been applied before; else 0.
     * @param sequence    that it has; 0 when it was dropped or refused.
     * @return false when this cannot be reported now, and the same message has to come again.
     */
    boolean onMessage(final int publisherId, final long sequence) {
        if (publisherId != 0 && !duplicates.add(messageCount + 1, publisherId)) {
            return false;
        }
        messageCount++;
        sequences.put(messageCount, sequence);
        isNotified = false;
        return true;
    }

    /** A command was applied as a whole. The sequencer's. */
    void onCommand(final long value) {
        number = value;
        isNotified = false;
    }

    /** Whether the agent knows of everything, or could not be told. The sequencer's. */
    boolean isNotified() {
        return isNotified;
    }

    /** Lets the agent see what is applied. False when there is no room for it now. The sequencer's. */
    boolean onApplied() {
        if (!duplicates.flush()) {
            return false;
        }
        isNotified = true;
        // The agent looks at them the other way round, so what it needs no more is below the number.
        appliedNumber.setRelease(number);
        processed.setRelease(messageCount);
        return true;
    }
}
