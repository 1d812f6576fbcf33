package io.penstock.broker.agent;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.Waker;
import io.penstock.broker.session.BlockTransfer;
import io.penstock.broker.session.IoNotice;
import io.penstock.broker.session.SinkCommand;
import io.penstock.broker.session.SinkPort;
import io.penstock.broker.session.SinkReply;
import io.penstock.broker.session.SinkWriter;
import io.penstock.broker.sink.BlockMemory;
import io.penstock.broker.sink.Producer;
import io.penstock.broker.sink.SinkFile;
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
final class SinkAgent implements Agent, SinkPort {
    /** Blocks of one writer are given room at once up to this many bytes; of longer ones two. */
    private static final long GRANTED_LENGTH_MAX = 4L << 20;

    private static final int GRANTED_COUNT_MIN = 2;
    private static final int COMMAND_COUNT_MAX = 64 * 1024;
    private static final int COMMAND_LIMIT = 4 * 1024;
    private static final long BATCH_LENGTH_MAX = 64L << 20;
    private static final long MARK_AFTER_NS = 50_000_000;

    private final Map<String, SinkFile> sinks = new HashMap<>();
    private final Map<SinkWriter, Delivery> deliveries = new HashMap<>();

    /** Those that have blocks without room; each in turn. */
    private final ArrayDeque<Delivery> turns = new ArrayDeque<>();

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
    private ErrorHandler errorHandler = e -> {};
    private long storedNs;
    private boolean isMarked = true;

    /** A writer, and its blocks that have no room yet. */
    private static final class Delivery {
        private final SinkWriter writer;
        private final SinkFile sink;
        private final ArrayDeque<BlockTransfer> offers = new ArrayDeque<>();
        private final List<BlockTransfer> granted = new ArrayList<>();
        private long grantedLength;
        private boolean isInTurn;

        /** Another writer delivers as the same producer, under the same ids: what comes of this one is not taken. */
        private boolean isReplaced;

        private Delivery(final SinkWriter writer, final SinkFile sink) {
            this.writer = writer;
            this.sink = sink;
        }
    }

    /** Carries replies to I/O agents; false when there is no room now. */
    @FunctionalInterface
    interface ReplyListener {
        boolean onReply(IoNotice.Sink notice);
    }

    SinkAgent(
            final int memoryLength,
            final int blockLengthMax,
            final int producerCountMax,
            final NanoClock clock,
            final Waker waker,
            final ReplyListener replies,
            final BrokerCounters counters) {
        memory = new BlockMemory(memoryLength);
        copier = new BlockCopier(memory);
        this.blockLengthMax = blockLengthMax;
        this.producerCountMax = producerCountMax;
        this.clock = clock;
        this.waker = waker;
        this.replies = replies;
        stored = counters.newCounter("sinks", "blocksStored");
        storedBytes = counters.newCounter("sinks", "blockBytesStored");
        repeated = counters.newCounter("sinks", "blocksRepeated");
        refused = counters.newCounter("sinks", "blocksRefused");
        memoryUsed = counters.newCounter("sinks", "blockMemoryUsed");
        writers = counters.newCounter("sinks", "sinkWriters");
        commits = counters.newCounter("sinks", "sinkCommits");
    }

    /** Adds a sink. Called before the start. */
    void add(final SinkFile sink) {
        sinks.put(sink.settings().name(), sink);
    }

    void errorHandler(final ErrorHandler value) {
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
    void await() {
        if (waiting.isEmpty()) {
            waker.await(isMarked ? Engine.IDLE_WAIT_NS : Engine.MARK_WAIT_NS);
        } else {
            waker.sleep(Engine.RETRY_WAIT_NS);
        }
    }

    private int sendWaiting() {
        int count = 0;
        SinkReply reply;
        while ((reply = waiting.peek()) != null && replies.onReply(new IoNotice.Sink(reply))) {
            waiting.remove();
            count++;
        }
        return count;
    }

    private void reply(final SinkReply reply) {
        if (!waiting.isEmpty() || !replies.onReply(new IoNotice.Sink(reply))) {
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
        if (producer == null && sink.producerCount() >= producerCountMax) {
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
        deliveries.put(writer, new Delivery(writer, sink));
        writers.setRelease(deliveries.size());
        reply(new SinkReply.Opened(writer, producer == null ? 0 : producer.highest()));
    }

    private void onClose(final SinkWriter writer) {
        final Delivery delivery = deliveries.remove(writer);
        if (delivery != null) {
            dropOffers(delivery);
            for (final BlockTransfer transfer : delivery.granted) {
                release(transfer);
            }
            delivery.granted.clear();
            CloseHelper.close(errorHandler, writer.memory());
            writers.setRelease(deliveries.size());
        }
    }

    /**
     * What is not written yet never will be: the next writer of this producer is told which ids are stored, and uses the
     * others for blocks of its own. Room that was granted stays, since it is being filled.
     */
    private void dropOffers(final Delivery delivery) {
        delivery.offers.clear();
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
            refuse(
                    transfer,
                    ErrorCode.BAD_BLOCK,
                    "sink: block id is too old: " + transfer.blockId() + " (the highest is " + producer.highest()
                            + "; use a higher one)");
        } else if (producer != null && producer.isStored(transfer.blockId())) {
            repeated.incrementRelease();
            reply(new SinkReply.Stored(transfer, 0, -1));
        } else {
            delivery.offers.add(transfer);
            if (!delivery.isInTurn) {
                delivery.isInTurn = true;
                turns.add(delivery);
            }
        }
    }

    private void onComplete(final BlockTransfer transfer) {
        final Delivery delivery = deliveries.get(transfer.writer());
        if (delivery != null && delivery.granted.remove(transfer)) {
            delivery.grantedLength -= transfer.length();
            if (delivery.isReplaced) {
                release(transfer);
            } else {
                complete.add(transfer);
                takeTurn(delivery);
            }
        }
    }

    private void takeTurn(final Delivery delivery) {
        if (!delivery.isInTurn && !delivery.offers.isEmpty()) {
            delivery.isInTurn = true;
            turns.add(delivery);
        }
    }

    /**
     * Gives room to blocks, one of each writer in turn. Who is next and does not fit is waited for: short blocks of
     * others do not overtake it for ever.
     */
    private int grant() {
        int count = 0;
        Delivery delivery;
        while (complete.size() < SinkFile.BATCH_COUNT_MAX && (delivery = turns.peek()) != null) {
            final BlockTransfer transfer = delivery.offers.peek();
            if (transfer == null || (transfer.memoryOffset() < 0 && !mayHaveMore(delivery, transfer))) {
                turns.remove();
                delivery.isInTurn = false;
                continue;
            }
            if (transfer.memoryOffset() >= 0) {
                complete.add(transfer);
            } else {
                final int offset = memory.acquire(transfer.length());
                if (offset < 0) {
                    return count;
                }
                transfer.offset(offset);
                delivery.granted.add(transfer);
                delivery.grantedLength += transfer.length();
                reply(new SinkReply.Granted(transfer));
            }
            delivery.offers.remove();
            turns.remove();
            turns.add(delivery);
            count++;
        }
        return count;
    }

    private static boolean mayHaveMore(final Delivery delivery, final BlockTransfer transfer) {
        return delivery.granted.size() < GRANTED_COUNT_MIN
                || delivery.grantedLength + transfer.length() <= GRANTED_LENGTH_MAX;
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
            if (sink.keptCount() > 0) {
                sink.commit();
                commits.incrementRelease();
            }
        } catch (final IOException e) {
            sink.rollBack();
            errorHandler.onError(e);
            final boolean isFull = sink.failure() == null;
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
        return producer != null && producer.isStored(transfer.blockId());
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
        if (isStored(sink, transfer)) {
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
    void free() {
        copier.free();
        memory.free();
    }

    @Override
    public String roleName() {
        return "sinks";
    }
}
