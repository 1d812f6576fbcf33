package io.penstock.broker.sink;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.Waits;
import io.penstock.broker.concurrent.Waker;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.sink.BlockTurns.Delivery;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Merges blocks of all producers into the files of sinks: gives them room in turn, and writes those that are complete, in
 * the order in which they were. On a thread of its own, since it waits for disks.
 */
public final class SinkAgent implements Agent, SinkPort {
    private static final int COMMAND_COUNT_MAX = 64 * 1024;
    private static final int COMMAND_LIMIT = 4 * 1024;
    private static final long BATCH_LENGTH_MAX = 64L << 20;
    private static final long MARK_AFTER_NS = 50_000_000;

    private final Map<String, SinkFile> sinks = new HashMap<>();
    private final Map<SinkWriter, Delivery> deliveries = new HashMap<>();

    private final BlockTurns turns;
    private final ArrayDeque<BlockTransfer> complete = new ArrayDeque<>();
    private final ArrayDeque<SinkReply> waiting = new ArrayDeque<>();
    private final List<BlockTransfer> batch = new ArrayList<>();
    private final List<SinkReply> answers = new ArrayList<>();
    private final ManyToOneConcurrentArrayQueue<SinkCommand> commands =
            new ManyToOneConcurrentArrayQueue<>(COMMAND_COUNT_MAX);
    private final BlockMemory memory;
    private final BlockCopier copier;
    private final int blockLengthMax;
    private final int producerCountMax;
    private final NanoClock clock;
    private final Waker waker;
    private final ReplyListener replies;
    private final AtomicCounter stored;
    private final AtomicCounter storedBytes;
    private final AtomicCounter repeated;
    private final AtomicCounter refused;
    private final AtomicCounter memoryUsed;
    private final AtomicCounter writers;
    private final AtomicCounter commits;
    private final EventLog events;
    private ErrorHandler errorHandler = e -> {};
    private long storedNs;
    private boolean isMarked = true;

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
        copier = new BlockCopier(memory);
        this.blockLengthMax = blockLengthMax;
        this.producerCountMax = producerCountMax;
        this.clock = clock;
        this.waker = waker;
        this.replies = replies;
        this.events = events;
        stored = counters.newCounter("sinks", "blocksStored");
        storedBytes = counters.newCounter("sinks", "blockBytesStored");
        repeated = counters.newCounter("sinks", "blocksRepeated");
        refused = counters.newCounter("sinks", "blocksRefused");
        memoryUsed = counters.newCounter("sinks", "blockMemoryUsed");
        writers = counters.newCounter("sinks", "sinkWriters");
        commits = counters.newCounter("sinks", "sinkCommits");
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
        int workCount = sendWaiting();
        if (!waiting.isEmpty()) {
            return workCount;
        }
        workCount += commands.drain(this::onCommand, COMMAND_LIMIT);
        workCount += grant();
        workCount += store();
        if (workCount > 0) {
            memoryUsed.setRelease(memory.usedLength());
        } else if (!isMarked && clock.nanoTime() - storedNs > MARK_AFTER_NS) {
            mark();
        }
        return workCount;
    }

    /** Waits for work. */
    public void await() {
        if (waiting.isEmpty()) {
            waker.await(isMarked ? Waits.IDLE_NS : Waits.MARK_NS);
        } else {
            waker.sleep(Waits.RETRY_NS);
        }
    }

    private int sendWaiting() {
        int count = 0;
        SinkReply reply;
        while ((reply = waiting.peek()) != null && replies.onReply(reply)) {
            waiting.remove();
            count++;
        }
        return count;
    }

    private void reply(final SinkReply reply) {
        if (!waiting.isEmpty() || !replies.onReply(reply)) {
            waiting.add(reply);
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
            reply(new SinkReply.NotOpened(
                    writer,
                    ErrorCode.UNKNOWN_SINK,
                    "sink: no such sink: " + writer.sink() + " (use one of " + String.join(", ", sinks.keySet())
                            + ")"));
            return;
        }
        final Producer producer = sink.find(writer.producer());
        if (producer == null && isFull(sink, writer.producer())) {
            CloseHelper.quietClose(writer.memory());
            reply(new SinkReply.NotOpened(
                    writer,
                    ErrorCode.LIMIT_REACHED,
                    "sink: " + writer.sink() + " knows too many producers: " + producerCountMax
                            + " (use the same names again, or raise sinks.producerCountMax)"));
            return;
        }
        for (final Delivery other : deliveries.values()) {
            if (!other.isReplaced
                    && other.sink == sink
                    && other.writer.producer().equals(writer.producer())) {
                other.isReplaced = true;
                dropOffers(other);
                reply(new SinkReply.Replaced(other.writer));
            }
        }
        deliveries.put(writer, turns.open(writer, sink));
        writers.setRelease(deliveries.size());
        reply(new SinkReply.Opened(writer, producer == null ? 0 : producer.highest()));
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
            delivery.granted().forEach(this::release);
            turns.close(delivery);
            CloseHelper.close(errorHandler, writer.memory());
            writers.setRelease(deliveries.size());
        }
    }

    /**
     * What is not written yet never will be: the next writer of this producer is told which ids are stored, and uses the
     * others for blocks of its own. Room that was granted stays, since it is being filled.
     */
    private void dropOffers(final Delivery delivery) {
        turns.dropOffers(delivery);
        complete.removeIf(each -> {
            final boolean isDropped = each.writer() == delivery.writer;
            if (isDropped) {
                release(each);
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
            refuse(transfer, ErrorCode.BAD_BLOCK, tooOld(transfer, producer));
        } else if (producer != null && producer.isStored(transfer.blockId())) {
            repeated.incrementRelease();
            reply(new SinkReply.Stored(transfer, 0, -1));
        } else {
            turns.offer(delivery, transfer);
        }
    }

    private static String tooOld(final BlockTransfer transfer, final Producer producer) {
        return "sink: block id is too old: " + transfer.blockId() + " (the highest is " + producer.highest()
                + "; use a higher one)";
    }

    private void onComplete(final BlockTransfer transfer) {
        final Delivery delivery = deliveries.get(transfer.writer());
        if (delivery != null && turns.onComplete(delivery, transfer)) {
            if (delivery.isReplaced) {
                release(transfer);
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
            reply(new SinkReply.Granted(transfer));
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

    private void release(final BlockTransfer transfer) {
        if (transfer.offset() >= 0) {
            memory.release(transfer.offset(), transfer.length());
            transfer.offset(-1);
        }
    }

    private void refuse(final BlockTransfer transfer, final ErrorCode code, final String text) {
        refused.incrementRelease();
        reply(new SinkReply.Refused(transfer, code, text));
    }

    /** Writes blocks that are complete, as many as are committed together. */
    private int store() {
        int count = 0;
        long length = 0;
        BlockTransfer first;
        while ((first = complete.peek()) != null
                && count < SinkFile.BATCH_COUNT_MAX
                && (count == 0 || length + first.length() <= BATCH_LENGTH_MAX)) {
            batch.add(complete.remove());
            length += first.length();
            count++;
        }
        if (count > 0) {
            for (final SinkFile sink : sinks.values()) {
                store(sink);
            }
            batch.forEach(this::release);
            batch.clear();
            storedNs = clock.nanoTime();
            isMarked = false;
        }
        return count;
    }

    private void store(final SinkFile sink) {
        try {
            for (int i = 0; i < batch.size(); i++) {
                final BlockTransfer transfer = batch.get(i);
                if (transfer.writer().sink().equals(sink.settings().name())) {
                    store(sink, transfer);
                }
            }
            final boolean isAnyKept = sink.keptCount() > 0;
            if (sink.failure() == null) {
                // Without any it takes away what was pulled and is no block.
                sink.commit();
            }
            if (isAnyKept) {
                commits.incrementRelease();
            }
        } catch (final IOException e) {
            sink.rollBack();
            errorHandler.onError(e);
            final boolean isFull = sink.failure() == null;
            events.report(
                    isFull ? EventKind.SINK_FULL : EventKind.SINK_FAILED,
                    "sink",
                    sink.settings().name(),
                    "reason",
                    String.valueOf(e.getMessage()));
            answers.replaceAll(each -> each instanceof SinkReply.Stored failed && !isStored(sink, failed.transfer())
                    ? failure(sink, failed.transfer(), isFull, String.valueOf(e.getMessage()))
                    : each);
            for (final BlockTransfer transfer : batch) {
                if (transfer.writer().sink().equals(sink.settings().name()) && !isAnswered(transfer)) {
                    answers.add(failure(sink, transfer, isFull, String.valueOf(e.getMessage())));
                }
            }
        }
        for (final SinkReply answer : answers) {
            count(answer);
            reply(answer);
        }
        answers.clear();
    }

    private static boolean isStored(final SinkFile sink, final BlockTransfer transfer) {
        final Producer producer = sink.find(transfer.writer().producer());
        return producer != null && !producer.isForgotten(transfer.blockId()) && producer.isStored(transfer.blockId());
    }

    private boolean isAnswered(final BlockTransfer transfer) {
        for (final SinkReply answer : answers) {
            if ((answer instanceof SinkReply.Stored done && done.transfer() == transfer)
                    || (answer instanceof SinkReply.Refused not && not.transfer() == transfer)) {
                return true;
            }
        }
        return false;
    }

    private static SinkReply failure(
            final SinkFile sink, final BlockTransfer transfer, final boolean isFull, final String cause) {
        return new SinkReply.Refused(
                transfer,
                isFull ? ErrorCode.SINK_FULL : ErrorCode.SINK_FAILED,
                "sink: " + sink.settings().name() + ": "
                        + (isFull
                                ? "cannot be written now: " + cause + " (make room, and deliver the block again)"
                                : sink.failure()));
    }

    private void store(final SinkFile sink, final BlockTransfer transfer) throws IOException {
        final Producer producer = sink.find(transfer.writer().producer());
        if (producer != null && producer.isForgotten(transfer.blockId())) {
            // Blocks with much higher ids were stored since it was offered.
            answers.add(new SinkReply.Refused(transfer, ErrorCode.BAD_BLOCK, tooOld(transfer, producer)));
        } else if (isStored(sink, transfer)) {
            answers.add(new SinkReply.Stored(transfer, 0, -1));
        } else if (sink.failure() != null) {
            answers.add(failure(sink, transfer, false, ""));
        } else if (sink.isFull(transfer.length())) {
            answers.add(new SinkReply.Refused(
                    transfer,
                    ErrorCode.SINK_FULL,
                    "sink: " + sink.settings().name() + " is as long as it may be: " + sink.position()
                            + " bytes (raise its lengthMax, or deliver to another one)"));
        } else {
            final String wrong = copier.copy(transfer, sink);
            if (wrong == null) {
                final long offset = sink.position();
                final long number = sink.keep(transfer.writer().producer(), transfer.blockId(), transfer.checksum());
                answers.add(new SinkReply.Stored(transfer, number, offset));
            } else {
                sink.drop();
                answers.add(new SinkReply.Refused(transfer, ErrorCode.BAD_BLOCK, wrong));
            }
        }
    }

    private void count(final SinkReply answer) {
        if (answer instanceof SinkReply.Stored done) {
            (done.number() == 0 ? repeated : stored).incrementRelease();
            storedBytes.getAndAddRelease(
                    done.number() == 0 ? 0 : done.transfer().length());
        } else {
            refused.incrementRelease();
        }
    }

    private void mark() {
        isMarked = true;
        for (final SinkFile sink : sinks.values()) {
            try {
                if (sink.isMarkDue()) {
                    sink.mark();
                }
            } catch (final IOException e) {
                errorHandler.onError(e);
            }
        }
    }

    @Override
    public void onClose() {
        // What I/O agents have said as their last.
        commands.drain(this::onCommand);
        for (final Delivery delivery : List.copyOf(deliveries.values())) {
            onClose(delivery.writer);
        }
        CloseHelper.closeAll(errorHandler, sinks.values());
    }

    /** Gives memory back, once nobody receives blocks any more. */
    public void free() {
        copier.free();
        memory.free();
    }

    @Override
    public String roleName() {
        return "sinks";
    }
}
