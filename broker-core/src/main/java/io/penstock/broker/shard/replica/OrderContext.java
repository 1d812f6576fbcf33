package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.command.CreatedTopics;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * A shard, and what its order needs to know of the broker.
 *
 * @param sequencer       of the shard.
 * @param isJournaled     whether the shard is written to files; if not, its messages are lost with the process.
 * @param processed       makes, for each I/O agent, the count of its messages that are processed.
 * @param createdTopics   counts the topics of clients of this node.
 * @param nanoClock       for waiting.
 * @param epochClock      for what is due.
 * @param ioAgentWakeup   ends the wait of an I/O agent, given by its index. Any thread.
 * @param sequencerWakeup ends the wait of the sequencer. Any thread.
 */
public record OrderContext(
        Sequencer sequencer,
        boolean isJournaled,
        Supplier<AtomicCounter[]> processed,
        CreatedTopics createdTopics,
        NanoClock nanoClock,
        EpochNanoClock epochClock,
        IntConsumer ioAgentWakeup,
        Runnable sequencerWakeup) {}
