package io.penstock.broker.session;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.FilterException;
import io.penstock.broker.filter.FilterLimits;
import io.penstock.broker.format.FieldSet;
import io.penstock.broker.match.DescriptorRing;
import io.penstock.broker.match.Interest;
import io.penstock.broker.security.Action;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.SubscribeDecoder;
import io.penstock.protocol.codec.UnsubscribeDecoder;
import org.jspecify.annotations.Nullable;

/** Takes subscribe and unsubscribe commands. Confined to one I/O agent. */
final class SubscribeHandler {
    private static final int ACKS_SUPPORTED = 0b0011;

    /** What the decoder makes of bytes that are not UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    private final SessionContext context;
    private final SessionRings rings;

    SubscribeHandler(final SessionContext context, final SessionRings rings) {
        this.context = context;
        this.rings = rings;
    }

    void onSubscribe(final Session session, final SubscribeDecoder command) {
        final long commandId = command.commandId();
        final long subscriptionId = command.subscriptionId();
        final boolean pattern = command.options().topicPattern();
        final boolean optionsKnown = (command.options().getRaw() & ~1) == 0;
        final int ackTypes = command.ackTypes().getRaw();
        final String topicText = command.topic();
        final String filterText = command.filter();
        try {
            if (context.draining) {
                throw new Refusal(ErrorCode.SHUTTING_DOWN, "subscribe: broker is shutting down (connect again later)");
            }
            if (!optionsKnown || (ackTypes & ~ACKS_SUPPORTED) != 0) {
                throw new Refusal(
                        ErrorCode.NOT_SUPPORTED,
                        "subscribe: unknown option or acknowledgement (ask for received or processed)");
            }
            checkSubscriptionId(session, subscriptionId);
            final TopicPattern topics = topics(session, topicText, pattern);
            final String filter = canonicalFilter(filterText);
            subscribe(session, commandId, ackTypes, subscriptionId, topics, filter);
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, subscriptionId, 0, refusal.code, refusal.text);
        }
    }

    void onUnsubscribe(final Session session, final UnsubscribeDecoder command) {
        final long commandId = command.commandId();
        final long subscriptionId = command.subscriptionId();
        final int ackTypes = command.ackTypes().getRaw();
        final ClientSubscription subscription = session.subscriptions.get(subscriptionId);
        if (subscription == null) {
            context.refuse(
                    session,
                    commandId,
                    subscriptionId,
                    0,
                    ErrorCode.UNKNOWN_SUBSCRIPTION,
                    "unsubscribe: no such subscription: " + subscriptionId + " (it has ended, or never was)");
            return;
        }
        session.pending =
                new PendingCommand(subscription.parts.length, null, done -> acknowledge(done, commandId, ackTypes));
        remove(session, subscription, true);
    }

    /** Ends a subscription that needs what is no longer in the window. Its client is told when there is room. */
    void onFellBehind(final Session session, final ClientSubscription subscription) {
        remove(session, subscription, false);
        session.ended.add(subscription);
        context.counters.fellBehind.incrementPlain();
    }

    /** Tells a client of subscriptions that have ended. */
    int sendEnded(final Session session) {
        int count = 0;
        while (!session.ended.isEmpty() && session.outbox.hasRoom()) {
            final ClientSubscription subscription = session.ended.remove();
            context.answers.error(
                    session.outbox,
                    0,
                    subscription.id,
                    0,
                    ErrorCode.FELL_BEHIND,
                    false,
                    "subscription " + subscription.id + " to "
                            + subscription.parts[0].interest.topics().text()
                            + ": what it was to get next is no longer in the window (read faster, filter more, or"
                            + " raise window.segmentCount)");
            count++;
        }
        return count;
    }

    private void remove(final Session session, final ClientSubscription subscription, final boolean replied) {
        session.subscriptions.remove(subscription.id);
        context.counters.subscriptions.decrementRelease();
        for (final SubscriptionPart part : subscription.parts) {
            session.parts.remove(part.interest.part());
            if (part.cursor) {
                context.stopCursor(part.interest.part());
            }
            context.submit(
                    part.interest.shard(),
                    new ShardCommand.Unsubscribe(
                            context.settings.ioAgent(), session.id, part.interest.part(), replied));
        }
    }

    private void subscribe(
            final Session session,
            final long commandId,
            final int ackTypes,
            final long subscriptionId,
            final TopicPattern topics,
            final String filter) {
        final int firstShard = topics.isLiteral() ? context.rules.shard(topics.text()) : 0;
        final int partCount = topics.isLiteral() ? 1 : context.ports.length;
        final ClientSubscription subscription = new ClientSubscription(subscriptionId, partCount);
        session.subscriptions.put(subscriptionId, subscription);
        context.counters.subscriptions.incrementRelease();
        session.pending = new PendingCommand(partCount, null, done -> acknowledge(done, commandId, ackTypes));
        for (int i = 0; i < partCount; i++) {
            final int shard = firstShard + i;
            final Interest interest = new Interest(context.nextPart(), session.id, shard, topics, filter);
            final SubscriptionPart part = new SubscriptionPart(interest, subscription);
            subscription.parts[i] = part;
            session.parts.put(interest.part(), part);
            final DescriptorRing ring = rings.live(session, shard);
            context.submit(shard, new ShardCommand.Subscribe(context.settings.ioAgent(), interest, ring));
        }
    }

    private void acknowledge(final Session session, final long commandId, final int ackTypes) {
        if ((ackTypes & 1) != 0) {
            context.answers.ack(session.outbox, commandId, 0, AckType.RECEIVED);
        }
        if ((ackTypes & 2) != 0) {
            context.answers.ack(session.outbox, commandId, 0, AckType.PROCESSED);
        }
    }

    private void checkSubscriptionId(final Session session, final long subscriptionId) {
        if (subscriptionId == 0 || session.subscriptions.containsKey(subscriptionId)) {
            throw new Refusal(
                    ErrorCode.DUPLICATE_SUBSCRIPTION,
                    "subscribe: subscription id in use, or 0: " + subscriptionId + " (choose another)");
        }
        if (session.subscriptions.size() >= context.settings.subscriptionCountMax()) {
            throw new Refusal(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: no more subscriptions: " + session.subscriptions.size()
                            + " (unsubscribe, or raise sessions.subscriptionCountMax)");
        }
    }

    private TopicPattern topics(final Session session, final String text, final boolean pattern) {
        final String wrong = pattern ? null : Topic.checkName(text);
        if (wrong != null) {
            throw new Refusal(ErrorCode.BAD_TOPIC, wrong);
        }
        if (!context.gate.allows(session.principal, pattern ? Action.SUBSCRIBE_PATTERN : Action.SUBSCRIBE, text)) {
            throw new Refusal(
                    ErrorCode.NOT_AUTHORIZED,
                    "subscribe to " + text + ": not allowed for " + session.principal.name()
                            + " (ask for the permission)");
        }
        if (!pattern) {
            return TopicPattern.literal(text);
        }
        final int bad = text.indexOf(REPLACEMENT);
        if (bad >= 0) {
            throw new Refusal(
                    ErrorCode.BAD_PATTERN, "topic pattern: not UTF-8 text at " + bad + " (encode it as UTF-8)");
        }
        try {
            return TopicPattern.regex(text);
        } catch (final IllegalArgumentException e) {
            throw new Refusal(ErrorCode.BAD_PATTERN, e.getMessage());
        }
    }

    private static String canonicalFilter(final String text) {
        if (text.isBlank()) {
            return "";
        }
        final int bad = text.indexOf(REPLACEMENT);
        if (bad >= 0) {
            throw new Refusal(ErrorCode.BAD_FILTER, "filter: not UTF-8 text at " + bad + " (encode it as UTF-8)");
        }
        try {
            return FilterCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS)
                    .text();
        } catch (final FilterException e) {
            throw new Refusal(ErrorCode.BAD_FILTER, e.getMessage());
        }
    }

    /** A command that is refused. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        final ErrorCode code;
        final String text;

        Refusal(final ErrorCode code, final @Nullable String text) {
            super(text, null, false, false);
            this.code = code;
            this.text = text == null ? code.name() : text;
        }
    }
}
