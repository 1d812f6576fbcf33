package io.penstock.broker.sink;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.agrona.ErrorHandler;

/**
 * The blocks that are committed together: copied into the files of their sinks, made durable, and only then answered. A
 * file that fails has none of them. Owned by the sink agent.
 */
final class BlockBatch {
    private static final long LENGTH_MAX = 64L << 20;

    private final List<BlockTransfer> blocks = new ArrayList<>();
    private final List<SinkReply> answers = new ArrayList<>();
    private final BlockMemory memory;
    private final BlockCopier copier;
    private final WaitingReplies replies;
    private final SinkCounters counters;
    private final EventLog events;

    BlockBatch(
            final BlockMemory memory,
            final WaitingReplies replies,
            final SinkCounters counters,
            final EventLog events) {
        this.memory = memory;
        copier = new BlockCopier(memory);
        this.replies = replies;
        this.counters = counters;
        this.events = events;
    }

    /** Takes blocks that are complete, as many as are committed together. Returns how many. */
    int take(final ArrayDeque<BlockTransfer> complete) {
        int count = 0;
        long length = 0;
        BlockTransfer first;
        while ((first = complete.peek()) != null
                && count < SinkFile.BATCH_COUNT_MAX
                && (count == 0 || length + first.length() <= LENGTH_MAX)) {
            blocks.add(complete.remove());
            length += first.length();
            count++;
        }
        return count;
    }

    /** Writes the blocks that were taken, answers them, and releases their room. */
    void store(final Collection<SinkFile> sinks, final ErrorHandler errorHandler) {
        for (final SinkFile sink : sinks) {
            store(sink, errorHandler);
        }
        blocks.forEach(memory::release);
        blocks.clear();
    }

    private void store(final SinkFile sink, final ErrorHandler errorHandler) {
        try {
            for (int i = 0; i < blocks.size(); i++) {
                final BlockTransfer transfer = blocks.get(i);
                if (transfer.writer().sink().equals(sink.settings().name())) {
                    store(sink, transfer);
                }
            }
            final boolean isAnyKept = sink.keptCount() > 0;
            if (sink.failure() == null) {
                // Without blocks it removes pulled bytes that are no block.
                sink.commit();
            }
            if (isAnyKept) {
                counters.onCommit();
            }
        } catch (final IOException e) {
            sink.rollBack();
            errorHandler.onError(e);
            onFailure(sink, String.valueOf(e.getMessage()));
        }
        for (final SinkReply answer : answers) {
            counters.onAnswer(answer);
            replies.add(answer);
        }
        answers.clear();
    }

    private void store(final SinkFile sink, final BlockTransfer transfer) throws IOException {
        final Producer producer = sink.find(transfer.writer().producer());
        if (producer != null && producer.isForgotten(transfer.blockId())) {
            // Blocks with much higher ids were stored since it was offered.
            answers.add(SinkRefusal.tooOld(transfer, producer));
        } else if (isStored(sink, transfer)) {
            answers.add(new SinkReply.Stored(transfer, 0, -1));
        } else if (sink.failure() != null) {
            answers.add(SinkRefusal.failed(transfer, sink));
        } else if (sink.isFull(transfer.length())) {
            answers.add(SinkRefusal.tooLong(transfer, sink));
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

    /** Refuses blocks that were reported as stored and are not any more, and blocks that were not answered yet. */
    private void onFailure(final SinkFile sink, final String cause) {
        final boolean isFull = sink.failure() == null;
        events.report(
                isFull ? EventKind.SINK_FULL : EventKind.SINK_FAILED,
                "sink",
                sink.settings().name(),
                "reason",
                cause);
        answers.replaceAll(each -> each instanceof SinkReply.Stored failed && !isStored(sink, failed.transfer())
                ? failure(sink, failed.transfer(), isFull, cause)
                : each);
        for (final BlockTransfer transfer : blocks) {
            if (transfer.writer().sink().equals(sink.settings().name()) && !isAnswered(transfer)) {
                answers.add(failure(sink, transfer, isFull, cause));
            }
        }
    }

    private static SinkReply failure(
            final SinkFile sink, final BlockTransfer transfer, final boolean isFull, final String cause) {
        return isFull ? SinkRefusal.diskFull(transfer, sink, cause) : SinkRefusal.failed(transfer, sink);
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

    /** Gives memory back, once nothing is stored any more. */
    void free() {
        copier.free();
    }
}
