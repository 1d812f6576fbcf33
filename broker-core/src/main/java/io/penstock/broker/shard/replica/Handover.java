package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.order.CommandHeader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Hands over commands that are not applied yet, in their order, and all of them again when the sender says that they may be lost.
 * When none was applied for a while, only the first of them comes again, after twice the time each time, so that an order that is
 * slow is not filled with what it has. If it was lost, those after it were dropped, and follow as soon as it is applied. Owned by
 * the I/O agent.
 */
final class Handover {
    /** The first command is handed over again when none is applied for so long. */
    static final long RESEND_NS = 2_000_000_000L;

    /** The longest that this becomes. */
    static final long RESEND_NS_MAX = 60_000_000_000L;

    private final PendingCommands inFlight;
    private final CommandSender sender;
    private final NanoClock clock;

    /** A piece of a long message with its header; made when there is one. */
    private @Nullable UnsafeBuffer whole;

    /** The number of the command that is handed over next. */
    private long next = 1;

    private long generation;
    private long progressNs;
    private long resendNs = RESEND_NS;

    /** The number of the command that was handed over again alone; 0 when none was since the last news. */
    private long probed;

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
        if (generation != sender.generation()) {
            generation = sender.generation();
            next = inFlight.first();
            onNews();
        } else if (next > inFlight.first() && nowNs - progressNs > resendNs && offer(inFlight.first())) {
            probed = inFlight.first();
            progressNs = nowNs;
            resendNs = Math.min(2 * resendNs, RESEND_NS_MAX);
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
            // Nothing after it is applied: it had been lost, and those after it were dropped for want of it.
            next = number == probed ? inFlight.first() : Math.max(next, inFlight.first());
            progressNs = clock.nanoTime();
            onNews();
        }
    }

    private void onNews() {
        probed = 0;
        resendNs = RESEND_NS;
    }
}
