package io.penstock.broker.sink;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.Waits;
import io.penstock.broker.concurrent.Waker;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.sink.BlockTurns.Delivery;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Merges blocks of all producers into the files of sinks: gives them room in turn, and writes those that are complete, in
 * the order in which they were. On a thread of its own, since it waits for disks.
 */
public final class SinkAgent implements Agent, SinkPort {
    private static final int COMMAND_COUNT_MAX = 64 * 1024;
    private static final int COMMAND_LIMIT = 4 * 1024;

    private final Map<String, SinkFile> sinks = new HashMap<>();
    private final Map<SinkWriter, Delivery> deliveries = new HashMap<>();

    private final BlockTurns turns;
    private final ArrayDeque<BlockTransfer> complete = new ArrayDeque<>();
    private final ManyToOneConcurrentArrayQueue<SinkCommand> commands =
            new ManyToOneConcurrentArrayQueue<>(COMMAND_COUNT_MAX);
    private final BlockMemory memory;
    private final BlockBatch batch;
    private final int blockLengthMax;
    private final int producerCountMax;
    private final Waker waker;
    private final WaitingReplies replies;
    private final SinkCounters counters;
    private final SinkMarks marks;
    private ErrorHandler errorHandler = e -> {};

    /** Carries replies to I/O agents; false when there is no room now. */
    @FunctionalInterface
    public interface ReplyListener {
        boolean onReply(SinkReply reply);
    }

    public SinkAgent(
            final int memoryLength,
            final int blockLengthMax,
            final int producerCountMax,
            final NanoClock clock,
            final Waker waker,
            final ReplyListener replies,
            final BrokerCounters counters,
            final EventLog events) {
        memory = new BlockMemory(memoryLength);
        turns = new BlockTurns(memory);
        this.blockLengthMax = blockLengthMax;
        this.producerCountMax = producerCountMax;
        this.waker = waker;
        this.replies = new WaitingReplies(replies);
        this.counters = new SinkCounters(counters);
        batch = new BlockBatch(memory, this.replies, this.counters, events);
        marks = new SinkMarks(clock);
    }

    /** Adds a sink. Called before the start. */
    public void add(final SinkFile sink) {
        sinks.put(sink.settings().name(), sink);
    }

    public void errorHandler(final ErrorHandler value) {
        errorHandler = value;
    }

    @Override
    public boolean offer(final SinkCommand command) {
        if (!commands.offer(command)) {
            return false;
        }
        waker.run();
        return true;
    }

    @Override
    public int blockLengthMax() {
        return blockLengthMax;
    }

    @Override
    public UnsafeBuffer memory() {
        return memory.buffer();
    }

    @Override
    public int doWork() {
        int workCount = replies.send();
        if (!replies.isEmpty()) {
            return workCount;
        }
        workCount += commands.drain(this::onCommand, COMMAND_LIMIT);
        workCount += grant();
        workCount += store();
        if (workCount > 0) {
            counters.memoryUsed(memory.usedLength());
        } else if (marks.isDue()) {
            marks.mark(sinks.values(), errorHandler);
        }
        return workCount;
    }

    /** Waits for work. */
    public void await() {
        if (replies.isEmpty()) {
            waker.await(marks.isMarked() ? Waits.IDLE_NS : Waits.MARK_NS);
        } else {
            waker.sleep(Waits.RETRY_NS);
        }
    }

    private void onCommand(final SinkCommand command) {
        if (command instanceof SinkCommand.Offer offer) {
            onOffer(offer.transfer());
        } else if (command instanceof SinkCommand.Complete completed) {
            onComplete(completed.transfer());
        } else if (command instanceof SinkCommand.Open open) {
            onOpen(open.writer());
        } else if (command instanceof SinkCommand.Close close) {
            onClose(close.writer());
        }
    }

    private void onOpen(final SinkWriter writer) {
        final SinkFile sink = sinks.get(writer.sink());
        if (sink == null) {
            CloseHelper.quietClose(writer.memory());
            replies.add(SinkRefusal.unknownSink(writer, sinks.keySet()));
            return;
        }
        final Producer producer = sink.find(writer.producer());
        if (producer == null && isFull(sink, writer.producer())) {
            CloseHelper.quietClose(writer.memory());
            replies.add(SinkRefusal.tooManyProducers(writer, producerCountMax));
            return;
        }
        for (final Delivery other : deliveries.values()) {
            if (!other.isReplaced
                    && other.sink == sink
                    && other.writer.producer().equals(writer.producer())) {
                other.isReplaced = true;
                dropOffers(other);
                replies.add(new SinkReply.Replaced(other.writer));
            }
        }
        deliveries.put(writer, turns.open(writer, sink));
        counters.writerCount(deliveries.size());
        replies.add(new SinkReply.Opened(writer, producer == null ? 0 : producer.highest()));
    }

    /** Those count, too, that have a writer and no block yet. */
    private boolean isFull(final SinkFile sink, final String producer) {
        int count = sink.producerCount();
        for (final Delivery each : deliveries.values()) {
            final String name = each.writer.producer();
            count += each.sink == sink && !each.isReplaced && !name.equals(producer) && sink.find(name) == null ? 1 : 0;
        }
        return count >= producerCountMax;
    }

    private void onClose(final SinkWriter writer) {
        final Delivery delivery = deliveries.remove(writer);
        if (delivery != null) {
            dropOffers(delivery);
            delivery.granted().forEach(memory::release);
            turns.close(delivery);
            CloseHelper.close(errorHandler, writer.memory());
            counters.writerCount(deliveries.size());
        }
    }

    /**
     * Blocks that are not written yet are never written: the next writer of this producer gets the ids of stored
     * blocks, and uses the others for blocks of its own. Granted room stays, since it is being filled.
     */
    private void dropOffers(final Delivery delivery) {
        turns.dropOffers(delivery);
        complete.removeIf(each -> {
            final boolean isDropped = each.writer() == delivery.writer;
            if (isDropped) {
                memory.release(each);
            }
            return isDropped;
        });
    }

    private void onOffer(final BlockTransfer transfer) {
        final Delivery delivery = deliveries.get(transfer.writer());
        if (delivery == null || delivery.isReplaced) {
            return;
        }
        final Producer producer = delivery.sink.find(transfer.writer().producer());
        if (producer != null && producer.isForgotten(transfer.blockId())) {
            answer(SinkRefusal.tooOld(transfer, producer));
        } else if (producer != null && producer.isStored(transfer.blockId())) {
            answer(new SinkReply.Stored(transfer, 0, -1));
        } else {
            turns.offer(delivery, transfer);
        }
    }

    private void answer(final SinkReply answer) {
        counters.onAnswer(answer);
        replies.add(answer);
    }

    private void onComplete(final BlockTransfer transfer) {
        final Delivery delivery = deliveries.get(transfer.writer());
        if (delivery != null && turns.onComplete(delivery, transfer)) {
            if (delivery.isReplaced) {
                memory.release(transfer);
            } else {
                complete.add(transfer);
            }
        }
    }

    /** Gives room to blocks that are sent, and takes those that are pulled. */
    private int grant() {
        return grantRoom() + pull();
    }

    /** Who is next and does not fit is waited for: short blocks of others do not overtake it for ever. */
    private int grantRoom() {
        int count = 0;
        Delivery delivery;
        while (complete.size() < SinkFile.BATCH_COUNT_MAX && (delivery = turns.nextToSend()) != null) {
            final BlockTransfer transfer = BlockTurns.next(delivery);
            final int offset = memory.acquire(transfer.length());
            if (offset < 0) {
                return count;
            }
            transfer.offset(offset);
            turns.onGranted(delivery);
            replies.add(new SinkReply.Granted(transfer));
            count++;
        }
        return count;
    }

    private int pull() {
        int count = 0;
        Delivery delivery;
        while (complete.size() < SinkFile.BATCH_COUNT_MAX && (delivery = turns.nextToPull()) != null) {
            complete.add(BlockTurns.next(delivery));
            turns.onPulled(delivery);
            count++;
        }
        return count;
    }

    /** Writes blocks that are complete, as many as are committed together. */
    private int store() {
        final int count = batch.take(complete);
        if (count > 0) {
            batch.store(sinks.values(), errorHandler);
            marks.onStored();
        }
        return count;
    }

    @Override
    public void onClose() {
        // The last commands of the I/O agents.
        commands.drain(this::onCommand);
        for (final Delivery delivery : List.copyOf(deliveries.values())) {
            onClose(delivery.writer);
        }
        CloseHelper.closeAll(errorHandler, sinks.values());
    }

    /** Gives memory back, once nobody receives blocks any more. */
    public void free() {
        batch.free();
        memory.free();
    }

    @Override
    public String roleName() {
        return "sinks";
    }
}
