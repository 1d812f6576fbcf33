package io.penstock.broker.session.subscribe;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.match.Rate;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.PaceDecoder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/** Takes commands that pace subscriptions. Confined to one I/O agent. */
public final class PaceHandler {
    private static final int RATE_UNIT_MAX = 3;
    private static final long RATE_MAX = 1_000_000_000L;
    private static final int ACTION_RATE = 0;
    private static final int ACTION_PAUSE = 1;
    private static final int ACTION_RESUME = 2;
    private static final int ACTION_CREDIT = 3;

    private final SessionContext context;
    private final SubscriptionPacer pacer;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PaceDecoder pace = new PaceDecoder();

    /** Makes it for the sessions of one I/O agent. */
    public PaceHandler(final SessionContext context, final SubscriptionPacer pacer) {
        this.context = context;
        this.pacer = pacer;
    }

    /** Paces a subscription, or refuses to. */
    public void onPace(final Session session, final DirectBuffer buffer, final int offset) {
        final PaceDecoder command = pace.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final long subscriptionId = command.subscriptionId();
        final int ackTypes = command.ackTypes().getRaw();
        final int action = command.actionRaw();
        try {
            final ClientSubscription subscription =
                    session.subscriptions().byId().get(subscriptionId);
            if (subscription == null) {
                throw new Refusal(
                        ErrorCode.UNKNOWN_SUBSCRIPTION,
                        "pace: no such subscription: " + subscriptionId + " (it has ended, or never was)");
            }
            if (subscription.isStateful()
                    || Succession.isAnyStateful(session, subscriptionId)
                    || action > ACTION_CREDIT
                    || (ackTypes & ~0b11) != 0) {
                throw new Refusal(
                        ErrorCode.NOT_SUPPORTED,
                        "pace: unknown action or acknowledgement, or a subscription that follows state (use"
                                + " conflation)");
            }
            if (action == ACTION_CREDIT) {
                giveCredit(session, subscription, command.rate());
                context.answers().acks(session.outbox(), commandId, ackTypes);
                return;
            }
            final Rate rate = rate(command.rateUnitRaw(), command.rate(), command.rateMaxGapMs());
            for (final ClientSubscription each : Succession.all(session, subscription)) {
                switch (action) {
                    case ACTION_RATE -> pacer.rate(each, rate);
                    case ACTION_PAUSE -> pacer.pause(each);
                    case ACTION_RESUME -> pacer.resume(session, each);
                    default -> throw new IllegalStateException("pace: unknown action: " + action);
                }
            }
            context.answers().acks(session.outbox(), commandId, ackTypes);
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, subscriptionId, 0, refusal.code(), refusal.text());
        }
    }

    private void giveCredit(final Session session, final ClientSubscription subscription, final long length) {
        if (!subscription.pace().isOnCredit() || length < 1) {
            throw new Refusal(
                    ErrorCode.BAD_QUERY,
                    "pace: credit of " + length + " for subscription " + subscription.id()
                            + " (give 1 or more, to one that was made with credit)");
        }
        pacer.credit(session, subscription, length);
    }

    /** A rate as it stands in a command. */
    static Rate rate(final int unit, final long rate, final int maxGapMs) {
        if (unit == 0 && rate == 0) {
            return Rate.UNLIMITED;
        }
        if (unit < 1 || unit > RATE_UNIT_MAX || rate < 1 || rate > RATE_MAX || maxGapMs < 0) {
            throw new Refusal(
                    ErrorCode.BAD_QUERY, "rate: " + rate + " of unit " + unit + " (use 1 to " + RATE_MAX + ")");
        }
        return new Rate(unit(unit), rate, TimeUnit.MILLISECONDS.toNanos(maxGapMs));
    }

    private static Rate.Unit unit(final int number) {
        return switch (number) {
            case 1 -> Rate.Unit.MESSAGES;
            case 2 -> Rate.Unit.BYTES;
            default -> Rate.Unit.SPEED;
        };
    }
}
