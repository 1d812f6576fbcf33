package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.order.CommandHeader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Hands over commands that are not applied yet, in their order, and all of them again whenever they may be lost: the sender says
 * so, or none was applied for a while. Owned by the I/O agent.
 */
final class Handover {
    /** Commands are handed over again when none is applied for so long. */
    static final long RESEND_NS = 2_000_000_000L;

    private final PendingCommands inFlight;
    private final CommandSender sender;
    private final NanoClock clock;

    /** A piece of a long message with its header; made when there is one. */
    private @Nullable UnsafeBuffer whole;

    /** The number of the command that is handed over next. */
    private long next = 1;

    private long generation;
    private long progressNs;

    Handover(final PendingCommands inFlight, final CommandSender sender, final NanoClock clock) {
        this.inFlight = inFlight;
        this.sender = sender;
        this.clock = clock;
        generation = sender.generation();
    }

    /** Hands over what there is, as far as it is taken. */
    void send() {
        sender.doWork();
        if (inFlight.first() == inFlight.next()) {
            return;
        }
        final long nowNs = clock.nanoTime();
        final boolean isStuck = next > inFlight.first() && nowNs - progressNs > RESEND_NS;
        if (generation != sender.generation() || isStuck) {
            generation = sender.generation();
            next = inFlight.first();
        }
        while (next < inFlight.next() && offer(next)) {
            if (next == inFlight.first()) {
                progressNs = nowNs;
            }
            next++;
        }
    }

    private boolean offer(final long number) {
        final int at = inFlight.offset(number);
        final int length = inFlight.length(number);
        final DirectBuffer body = inFlight.body(number);
        if (body == null) {
            return sender.offer(inFlight.memory(), at, length);
        }
        if (whole == null) {
            whole = new UnsafeBuffer(new byte[CommandHeader.COMMAND_LENGTH_MAX]);
        }
        whole.putBytes(0, inFlight.memory(), at, length);
        whole.putBytes(length, body, inFlight.bodyOffset(number), inFlight.bodyLength(number));
        return sender.offer(whole, 0, length + inFlight.bodyLength(number));
    }

    /** All commands up to a number are applied, and are not handed over any more. */
    void onApplied(final long number) {
        if (inFlight.onApplied(number)) {
            next = Math.max(next, inFlight.first());
            progressNs = clock.nanoTime();
        }
    }
}
