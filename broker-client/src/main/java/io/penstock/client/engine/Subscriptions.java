package io.penstock.client.engine;

import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockException;
import io.penstock.client.session.CommandFrame;
import io.penstock.client.session.FrameSender;
import io.penstock.client.warning.ClientLog;
import io.penstock.client.warning.Failures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The subscriptions of a client, and the agent's own commands about them to the broker. Owned by the agent. */
final class Subscriptions {
    private final Long2ObjectHashMap<ActiveSubscription> subscriptionById = new Long2ObjectHashMap<>();
    /** Subscriptions to the log whose completed acknowledgement may still come, by the command that made them. */
    private final Long2ObjectHashMap<ActiveSubscription> awaitedByCommandId = new Long2ObjectHashMap<>();

    /** Subscriptions that threads have ended, at most one entry for each. */
    private final ConcurrentLinkedQueue<SubscriptionCommand.Removal> removals = new ConcurrentLinkedQueue<>();

    /** Subscriptions to which threads have granted credit; each at most once. */
    private final ConcurrentLinkedQueue<ActiveSubscription> credited = new ConcurrentLinkedQueue<>();

    private final ArrayDeque<Outgoing> outgoing = new ArrayDeque<>();
    /** Commands to be sent on the next connection. */
    private final List<Outgoing> repeated = new ArrayList<>();

    private boolean isLoggedOn;
    private @Nullable ActiveSubscription last;

    private record Outgoing(CommandFrame frame, PendingCommand pending) {
        Outgoing(final CommandFrame frame, final Request<?> request) {
            this(frame, new PendingCommand(PendingCommand.NO_INDEX).request(request));
        }
    }

    void add(final ActiveSubscription subscription) {
        subscriptionById.put(subscription.id(), subscription);
    }

    void remove(final ActiveSubscription subscription) {
        subscriptionById.remove(subscription.id());
        last = null;
    }

    @Nullable
    ActiveSubscription find(final long id) {
        if (last == null || last.id() != id) {
            last = subscriptionById.get(id);
        }
        return last;
    }

    /** The command that begins it is on its way. */
    void onSent(final ActiveSubscription subscription, final long commandId) {
        subscription.commandId(commandId);
        if (subscription.replay() != null) {
            awaitedByCommandId.put(commandId, subscription);
        }
        final Credit credit = subscription.credit();
        if (credit != null) {
            credit.begin();
            sendCredit(subscription, credit);
        }
    }

    void forget(final ActiveSubscription subscription) {
        awaitedByCommandId.remove(subscription.commandId());
    }

    /** Returns false when the command is none of a subscription to the log. */
    boolean onCompleted(final long commandId) {
        final ActiveSubscription subscription = awaitedByCommandId.remove(commandId);
        if (subscription == null) {
            return false;
        }
        final boolean isFirst = subscription.onCompleted();
        if (isFirst && subscription.isActive()) {
            try {
                subscription.sink().onCompleted();
            } catch (final RuntimeException e) {
                dropForHandler(subscription, e);
            }
        }
        if (subscription.hasEnd() && subscriptionById.containsKey(subscription.id())) {
            end(subscription, null);
        }
        return true;
    }

    /** It has ended at the broker. */
    void end(final ActiveSubscription subscription, final @Nullable PenstockException reason) {
        forget(subscription);
        notifyEnd(subscription, reason);
    }

    private void notifyEnd(final ActiveSubscription subscription, final @Nullable PenstockException reason) {
        remove(subscription);
        final boolean wasActive = subscription.isActive();
        subscription.onEnd(reason);
        try {
            subscription.sink().onEnd(wasActive ? reason : null);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(subscription.sink(), e);
        }
    }

    /** Ends it here, and notifies the broker as soon as there is room. */
    void drop(final ActiveSubscription subscription, final @Nullable PenstockException reason) {
        notifyEnd(subscription, reason);
        if (isLoggedOn) {
            outgoing.add(new Outgoing(
                    CommandFrame.unsubscribe(subscription.id()), new SubscriptionCommand.Dropping(this, subscription)));
        }
    }

    /** Called by any thread, between the beginning and the end of a post. */
    void post(final SubscriptionCommand.Removal removal) {
        removals.add(removal);
    }

    /** Called by any thread. */
    void postCredit(final ActiveSubscription subscription) {
        credited.add(subscription);
    }

    /** A frame of a subscription was received, of so many bytes. */
    void onReceived(final long id, final int length) {
        final ActiveSubscription subscription = find(id);
        final Credit credit = subscription == null ? null : subscription.credit();
        if (subscription != null && credit != null) {
            final long unseen = credit.onReceived(length);
            if (unseen > 0 && credit.give(unseen)) {
                postCredit(subscription);
            }
        }
    }

    /** Sends credit when all earlier grants are on their way: credit granted meanwhile goes in one command. */
    private int sendCredits() {
        if (!outgoing.isEmpty()) {
            return 0;
        }
        int workCount = 0;
        ActiveSubscription subscription;
        while ((subscription = credited.poll()) != null) {
            final Credit credit = subscription.credit();
            if (credit != null) {
                sendCredit(subscription, credit);
            }
            workCount++;
        }
        return workCount;
    }

    private void sendCredit(final ActiveSubscription subscription, final Credit credit) {
        final long length = credit.toSend();
        if (length > 0 && subscriptionById.containsKey(subscription.id())) {
            outgoing.add(new Outgoing(CommandFrame.credit(subscription.id(), length), new Request.Done()));
        }
    }

    /** Handles what threads have posted: ends subscriptions and sends credit. Returns the number of both. */
    int takePosted() {
        int workCount = sendCredits();
        SubscriptionCommand.Removal removal;
        while ((removal = removals.poll()) != null) {
            if (isLoggedOn) {
                outgoing.add(new Outgoing(
                        CommandFrame.unsubscribe(removal.subscription().id()), removal));
            } else {
                removal.onAck();
            }
            workCount++;
        }
        return workCount;
    }

    /** Ends it because of what its handler threw. */
    void dropForHandler(final ActiveSubscription subscription, final RuntimeException cause) {
        final String reason =
                "subscription to " + subscription.request().topic() + ": its handler threw: " + Failures.nameOf(cause);
        ClientLog.warn(reason, cause);
        drop(subscription, new PenstockException(reason, cause));
    }

    /** The program closes the client. */
    void stopHandlers() {
        subscriptionById.values().forEach(subscription -> subscription.sink().onStop());
    }

    /** Whether no handler of a subscription is being called by another thread, once all were stopped. */
    boolean areHandlersIdle() {
        return subscriptionById.values().stream()
                .allMatch(subscription -> subscription.sink().isIdle());
    }

    /** Notifies the broker as soon as there is room that a query is given up. */
    void unsubscribe(final long id) {
        outgoing.add(new Outgoing(CommandFrame.unsubscribe(id), new Request.Done()));
    }

    /** There will be no other connection. */
    void endRequests(final InFlight inFlight, final ConnectionException reason) {
        onDisconnect(inFlight, reason);
        takePosted();
        repeated.forEach(next -> inFlight.fail(next.pending(), reason));
        repeated.clear();
    }

    void endAll(final @Nullable PenstockException reason) {
        for (final ActiveSubscription subscription : new ArrayList<>(subscriptionById.values())) {
            end(subscription, reason);
        }
    }

    /** The connection is lost. Requests that do no harm when they are made again wait for the next one, others fail. */
    void onDisconnect(final InFlight inFlight, final ConnectionException lost) {
        isLoggedOn = false;
        for (final ActiveSubscription subscription : subscriptionById.values()) {
            final Credit credit = subscription.credit();
            if (credit != null) {
                credit.end();
            }
        }
        final List<PendingCommand> unanswered = inFlight.takeRequests();
        outgoing.forEach(next -> unanswered.add(next.pending()));
        outgoing.clear();
        awaitedByCommandId.clear();
        for (final PendingCommand pending : unanswered) {
            final Request<?> request = pending.request();
            final CommandFrame frame = request == null ? null : request.lose();
            if (frame == null) {
                inFlight.fail(pending, lost);
            } else {
                repeated.add(new Outgoing(frame, pending));
            }
        }
    }

    void onLogon() {
        isLoggedOn = true;
    }

    /** There is a new connection. */
    void onReconnect(final InFlight inFlight) {
        for (final ActiveSubscription subscription : subscriptionById.values()) {
            outgoing.add(new Outgoing(subscription.frame(), new SubscriptionCommand.Renewal(this, subscription)));
            for (final CommandFrame frame : subscription.paceFrames()) {
                outgoing.add(new Outgoing(frame, new Request.Done()));
            }
        }
        for (final Outgoing next : repeated) {
            final Request<?> request = next.pending().request();
            if (request != null && request.isDone()) {
                inFlight.fail(next.pending(), new PenstockException("nobody waits for it any more", null));
            } else {
                outgoing.add(next);
            }
        }
        repeated.clear();
    }

    boolean isIdle() {
        return outgoing.isEmpty();
    }

    /** Offers as many commands as the session takes and returns their number. */
    int send(final FrameSender sender, final InFlight inFlight) {
        int workCount = 0;
        Outgoing next;
        while ((next = outgoing.peek()) != null) {
            final long commandId = sender.offerFrame(next.frame());
            if (commandId < 0) {
                return workCount;
            }
            inFlight.add(commandId, next.pending());
            outgoing.remove();
            final Request<?> request = next.pending().request();
            if (request != null) {
                request.onSent(commandId);
            }
            workCount++;
        }
        return workCount;
    }
}
