package io.penstock.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The subscriptions of a client, and what the agent itself has to say to the broker about them. Owned by the agent. */
final class Subscriptions {
    private final Long2ObjectHashMap<Subscription> subscriptionById = new Long2ObjectHashMap<>();
    /** By the command that made them, those to the log whose completed acknowledgement may come. */
    private final Long2ObjectHashMap<Subscription> awaitedByCommandId = new Long2ObjectHashMap<>();

    /** What threads want to be ended, at most one for each subscription. */
    private final ConcurrentLinkedQueue<Removal> removals = new ConcurrentLinkedQueue<>();

    /** To which threads have given credit; each at most once. */
    private final ConcurrentLinkedQueue<Subscription> credited = new ConcurrentLinkedQueue<>();

    private final ArrayDeque<Outgoing> outgoing = new ArrayDeque<>();
    /** To be sent on the next connection. */
    private final List<Outgoing> repeated = new ArrayList<>();

    private boolean isLoggedOn;
    private @Nullable Subscription last;

    private record Outgoing(CommandFrame frame, PendingCommand pending) {
        Outgoing(final CommandFrame frame, final Request<?> request) {
            this(frame, new PendingCommand(PendingCommand.NO_INDEX).request(request));
        }
    }

    void add(final Subscription subscription) {
        subscriptionById.put(subscription.id(), subscription);
    }

    void remove(final Subscription subscription) {
        subscriptionById.remove(subscription.id());
        last = null;
    }

    @Nullable
    Subscription find(final long id) {
        if (last == null || last.id() != id) {
            last = subscriptionById.get(id);
        }
        return last;
    }

    /** The command that begins it is on its way. */
    private void onSent(final Subscription subscription, final long commandId) {
        subscription.commandId(commandId);
        if (subscription.replay() != null) {
            awaitedByCommandId.put(commandId, subscription);
        }
        final Credit credit = subscription.credit();
        if (credit != null) {
            credit.begin();
            tellCredit(subscription, credit);
        }
    }

    private void forget(final Subscription subscription) {
        awaitedByCommandId.remove(subscription.commandId());
    }

    /** Returns false when the command is none of a subscription to the log. */
    boolean onCompleted(final long commandId) {
        final Subscription subscription = awaitedByCommandId.remove(commandId);
        if (subscription == null) {
            return false;
        }
        final boolean isFirst = subscription.onCompleted();
        if (isFirst && subscription.isActive()) {
            try {
                subscription.sink().onCompleted(subscription);
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
    void end(final Subscription subscription, final @Nullable PenstockException reason) {
        forget(subscription);
        tellEnd(subscription, reason);
    }

    private void tellEnd(final Subscription subscription, final @Nullable PenstockException reason) {
        remove(subscription);
        final boolean wasActive = subscription.isActive();
        subscription.onEnd(reason);
        try {
            subscription.sink().onEnd(subscription, wasActive ? reason : null);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(subscription.sink(), e);
        }
    }

    /** Ends it here, and tells the broker as soon as there is room. */
    void drop(final Subscription subscription, final @Nullable PenstockException reason) {
        tellEnd(subscription, reason);
        if (isLoggedOn) {
            outgoing.add(new Outgoing(CommandFrame.unsubscribe(subscription.id()), new Dropping(this, subscription)));
        }
    }

    /** Called by any thread, between the beginning and the end of a post. */
    void post(final Removal removal) {
        removals.add(removal);
    }

    /** Called by any thread. */
    void postCredit(final Subscription subscription) {
        credited.add(subscription);
    }

    /** A frame of a subscription was received, of so many bytes. */
    void onReceived(final long id, final int length) {
        final Subscription subscription = find(id);
        final Credit credit = subscription == null ? null : subscription.credit();
        if (subscription != null && credit != null) {
            final long unseen = credit.onReceived(length);
            if (unseen > 0 && credit.give(unseen)) {
                postCredit(subscription);
            }
        }
    }

    /** When all that was told before is on its way: what is given meanwhile goes in one command. */
    private int tellCredits() {
        if (!outgoing.isEmpty()) {
            return 0;
        }
        int workCount = 0;
        Subscription subscription;
        while ((subscription = credited.poll()) != null) {
            final Credit credit = subscription.credit();
            if (credit != null) {
                tellCredit(subscription, credit);
            }
            workCount++;
        }
        return workCount;
    }

    private void tellCredit(final Subscription subscription, final Credit credit) {
        final long length = credit.toTell();
        if (length > 0 && subscriptionById.containsKey(subscription.id())) {
            outgoing.add(new Outgoing(CommandFrame.credit(subscription.id(), length), new Request.Done()));
        }
    }

    /** Takes up what threads have posted: ends what they want to be ended, and tells of credit. Returns how much that was. */
    int takePosted() {
        int workCount = tellCredits();
        Removal removal;
        while ((removal = removals.poll()) != null) {
            if (isLoggedOn) {
                outgoing.add(new Outgoing(CommandFrame.unsubscribe(removal.subscription.id()), removal));
            } else {
                removal.onAck();
            }
            workCount++;
        }
        return workCount;
    }

    /** Ends it because of what its handler threw. */
    void dropForHandler(final Subscription subscription, final RuntimeException cause) {
        final String reason = "subscription to " + subscription.request().topic() + ": its handler threw: " + cause;
        ClientLog.warn(reason, cause);
        drop(subscription, new PenstockException(reason, cause));
    }

    /** Tells the broker as soon as there is room that a query is given up. */
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
        for (final Subscription subscription : new ArrayList<>(subscriptionById.values())) {
            end(subscription, reason);
        }
    }

    /** The connection is lost. Requests that do no harm when they are made again wait for the next one, others fail. */
    void onDisconnect(final InFlight inFlight, final ConnectionException lost) {
        isLoggedOn = false;
        for (final Subscription subscription : subscriptionById.values()) {
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
        for (final Subscription subscription : subscriptionById.values()) {
            outgoing.add(new Outgoing(subscription.frame(), new Renewal(this, subscription)));
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
    int send(final ClientSession session, final InFlight inFlight) {
        int workCount = 0;
        Outgoing next;
        while ((next = outgoing.peek()) != null) {
            final long commandId =
                    session.offerFrame(next.frame().buffer(), 0, next.frame().length());
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

    /** A subscribe of the program. */
    static final class Creation extends Request<Subscription> {
        private final Subscriptions subscriptions;
        private final Subscription subscription;

        Creation(final Subscriptions subscriptions, final Subscription subscription) {
            this.subscriptions = subscriptions;
            this.subscription = subscription;
        }

        @Override
        void onSent(final long commandId) {
            subscriptions.add(subscription);
            subscriptions.onSent(subscription, commandId);
        }

        /** It goes on after what it had already, and is none of those that are renewed; one that has ended stays so. */
        @Override
        @Nullable
        CommandFrame onLost() {
            if (isDone() || !subscription.isActive()) {
                return null;
            }
            subscriptions.remove(subscription);
            return subscription.frame();
        }

        @Override
        void onAck() {
            if (!complete(subscription)) {
                // Nobody waits any more.
                subscriptions.drop(subscription, null);
            }
        }

        @Override
        void onFailure(final PenstockException reason) {
            subscriptions.remove(subscription);
            subscriptions.forget(subscription);
            subscription.onEnd(reason);
            super.onFailure(reason);
        }
    }

    /** A subscribe in the place of another, which stays as it is when this is refused. */
    static final class Replacement extends Request<@Nullable Void> {
        private final Subscription subscription;
        private final SubscribeRequest request;

        Replacement(final Subscription subscription, final SubscribeRequest request) {
            this.subscription = subscription;
            this.request = request;
        }

        @Override
        void onAck() {
            subscription.request(request);
            complete(null);
        }
    }

    /** A change of the pace, which is noted when the broker has taken it. */
    static final class PaceChange extends Request<@Nullable Void> {
        private final Runnable change;

        PaceChange(final Runnable change) {
            this.change = change;
        }

        @Override
        void onAck() {
            change.run();
            complete(null);
        }
    }

    /** An unsubscribe of the agent: up to its answer the completed acknowledgement may come. */
    private static final class Dropping extends Request<@Nullable Void> {
        private final Subscriptions subscriptions;
        private final Subscription subscription;

        Dropping(final Subscriptions subscriptions, final Subscription subscription) {
            this.subscriptions = subscriptions;
            this.subscription = subscription;
        }

        @Override
        void onAck() {
            subscriptions.forget(subscription);
            complete(null);
        }

        @Override
        void onFailure(final PenstockException reason) {
            onAck();
        }
    }

    /** A subscribe again, on a new connection. */
    private static final class Renewal extends Request<Subscription> {
        private final Subscriptions subscriptions;
        private final Subscription subscription;

        Renewal(final Subscriptions subscriptions, final Subscription subscription) {
            this.subscriptions = subscriptions;
            this.subscription = subscription;
        }

        @Override
        void onSent(final long commandId) {
            subscriptions.onSent(subscription, commandId);
        }

        @Override
        void onAck() {
            complete(subscription);
        }

        @Override
        void onFailure(final PenstockException reason) {
            if (!(reason instanceof ConnectionException)) {
                subscriptions.end(subscription, reason);
            }
        }
    }

    /** An unsubscribe of the program. It cannot fail: what the broker does not know, or no broker does, has ended. */
    static final class Removal extends Request<@Nullable Void> {
        private final Subscriptions subscriptions;
        private final Subscription subscription;

        Removal(final Subscriptions subscriptions, final Subscription subscription) {
            this.subscriptions = subscriptions;
            this.subscription = subscription;
        }

        @Override
        void onAck() {
            subscriptions.end(subscription, null);
            complete(null);
        }

        @Override
        void onFailure(final PenstockException reason) {
            onAck();
        }
    }
}
