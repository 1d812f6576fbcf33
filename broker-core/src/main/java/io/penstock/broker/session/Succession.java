package io.penstock.broker.session;

import io.penstock.broker.shard.command.Resume;
import io.penstock.broker.shard.command.Unsubscribe;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Rate;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions whose place others have taken, part by part: a part that is leaving gets everything before the sequence
 * at which its shard took the replacement, and the next one everything from it on. Confined to one I/O agent.
 *
 * <pre>
 *   all described     it ends where the live ring had got to; the next one is live, and follows in the ring
 *   behind            it goes on, from the log or from the state, up to its end; the next one waits, and goes on from there
 * </pre>
 *
 * <p>More than one may be leaving at a time. They end in the order in which they began.
 */
final class Succession {
    /** Subscriptions of one id that may be leaving at a time. */
    static final int LENGTH_MAX = 16;

    private final SessionContext context;
    private final Starter starter;

    /** Starts a part that is not known to its shard, with what it is to get next. */
    @FunctionalInterface
    interface Starter {
        void start(Session session, SubscriptionPart part);
    }

    Succession(final SessionContext context, final Starter starter) {
        this.context = context;
        this.starter = starter;
    }

    /** Refuses another replacement when too many are not done with. */
    static void checkRoom(final Session session, final long id) {
        int count = 0;
        ClientSubscription last = null;
        for (final SubscriptionPart part : session.leaving) {
            if (part.subscription.id == id && part.subscription != last) {
                last = part.subscription;
                count++;
            }
        }
        if (count >= LENGTH_MAX) {
            throw new Refusal(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: subscription " + id + " was replaced " + count
                            + " times, and what it was to before is not sent yet (read faster, or replace it with"
                            + " sow)");
        }
    }

    /** Whether a part that begins now has to wait for others. */
    static boolean isBehind(final Session session, final long id, final int shard) {
        return first(session, id, shard) != null;
    }

    /** Whether parts are leaving that end with what is in their rings. */
    static boolean isRetiring(final Session session) {
        for (int i = 0, size = session.leaving.size(); i < size; i++) {
            if (session.leaving.get(i).isDescribed) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing is left to be sent to parts that are leaving, but to those that are paused. */
    static boolean isDone(final Session session) {
        for (int i = 0, size = session.leaving.size(); i < size; i++) {
            if (!session.leaving.get(i).subscription.isPaused) {
                return false;
            }
        }
        return true;
    }

    /** Whether a subscription that follows state, or was sent it, has not ended yet. */
    static boolean isAnyStateful(final Session session, final long id) {
        for (final SubscriptionPart part : session.leaving) {
            if (part.subscription.id == id && part.subscription.isStateful()) {
                return true;
            }
        }
        return false;
    }

    /** All subscriptions of an id: those that are leaving, and the one that its client knows. */
    static List<ClientSubscription> all(final Session session, final ClientSubscription current) {
        final List<ClientSubscription> all = new ArrayList<>();
        for (final SubscriptionPart part : session.leaving) {
            if (part.subscription.id == current.id && !all.contains(part.subscription)) {
                all.add(part.subscription);
            }
        }
        all.add(current);
        return all;
    }

    /** Whether some of a subscription is leaving. */
    static boolean isLeaving(final Session session, final ClientSubscription subscription) {
        for (final SubscriptionPart part : session.leaving) {
            if (part.subscription == subscription) {
                return true;
            }
        }
        return false;
    }

    /**
     * Nothing of a subscription, and of those whose place it has taken, is sent until its shards have said where it begins
     * or ends, or from then on.
     */
    static void freeze(final Session session, final ClientSubscription subscription, final boolean isFrozen) {
        for (final ClientSubscription each : all(session, subscription)) {
            for (final SubscriptionPart part : each.parts) {
                part.isFrozen = isFrozen;
            }
        }
    }

    /** A part ends before a record. */
    void leave(final Session session, final SubscriptionPart part, final boolean isDescribed, final long endSequence) {
        final ClientSubscription subscription = part.subscription;
        part.isLeaving = true;
        part.toSequence = Math.min(part.toSequence, endSequence - 1);
        session.leaving.add(part);
        final boolean wasLimited = subscription.rate.isLimited();
        subscription.isPaused = false;
        subscription.endCredit();
        subscription.rate = Rate.UNLIMITED;
        final DescriptorRing ring = session.liveRings[part.interest.shard()];
        if (isDescribed && ring != null) {
            part.isDescribed = true;
            part.isDiverting = false;
            part.ringLimit = ring.producerPosition();
        } else if (part.isEnded) {
            finish(session, part);
        } else if (part.isParked) {
            if (!session.recalled.contains(part)) {
                starter.start(session, part);
            }
        } else if (part.interest.follow() == null && !part.isWaiting) {
            // Its cursor does not know yet where to end: the next run is not sent, but read again up to there.
            part.isDiverting = true;
            end(part, wasLimited);
        }
    }

    private void end(final SubscriptionPart part, final boolean wasLimited) {
        if (part.cursor) {
            final long number = part.interest.part();
            final boolean inFiles = part.inFiles;
            final long toSequence = part.toSequence;
            if (wasLimited) {
                context.onCursors(() -> context.cursors.rate(number, inFiles, Rate.UNLIMITED));
            }
            context.onCursors(() -> context.cursors.end(number, inFiles, toSequence));
        }
    }

    /** A part begins with a record, when those before it have ended. */
    void await(final Session session, final SubscriptionPart part) {
        part.isWaiting = true;
        part.nextSequence = part.startSequence;
        startNext(session, part.subscription.id, part.interest.shard());
    }

    /** A part that is leaving was sent all that is its own. */
    void finish(final Session session, final SubscriptionPart part) {
        session.leaving.remove(part);
        session.parts.remove(part.interest.part());
        if (part.cursor && !part.isDescribed) {
            context.stopCursor(part);
        }
        startNext(session, part.subscription.id, part.interest.shard());
    }

    /** Ends parts whose rings were read as far as was described to them. */
    void retire(final Session session) {
        for (int i = session.leaving.size() - 1; i >= 0; i--) {
            final SubscriptionPart part = session.leaving.get(i);
            final DescriptorRing ring = session.liveRings[part.interest.shard()];
            if (part.isDescribed && (ring == null || ring.consumerPosition() >= part.ringLimit)) {
                session.leaving.remove(i);
                session.parts.remove(part.interest.part());
            }
        }
    }

    /** Ends all that is leaving of an id; in one shard, or everywhere if it is negative. */
    void drop(final Session session, final long id, final int shard) {
        session.leaving.removeIf(part -> {
            if (part.subscription.id != id || (shard >= 0 && part.interest.shard() != shard)) {
                return false;
            }
            session.parts.remove(part.interest.part());
            if (part.cursor) {
                context.stopCursor(part);
            }
            context.submit(
                    part.interest.shard(),
                    new Unsubscribe(context.settings.ioAgent(), session.id, part.interest.part(), false));
            return true;
        });
    }

    /**
     * What was described to a part that is leaving has left the window, so that it is behind after all: those after it,
     * of which nothing was sent, are to wait.
     *
     * @return the parts that are to wait, under other numbers; or null when one of them cannot: it follows state.
     */
    @Nullable
    List<SubscriptionPart> after(final Session session, final SubscriptionPart part) {
        final List<SubscriptionPart> after = new ArrayList<>();
        for (int i = session.leaving.indexOf(part) + 1; i < session.leaving.size(); i++) {
            final SubscriptionPart next = session.leaving.get(i);
            if (next.subscription.id == part.subscription.id && next.interest.shard() == part.interest.shard()) {
                after.add(next);
            }
        }
        final SubscriptionPart current = current(session, part);
        if (current != null) {
            after.add(current);
        }
        after.removeIf(each -> each.isWaiting);
        return after.stream().anyMatch(each -> each.interest.follow() != null) ? null : after;
    }

    /** The part that its client knows, in the shard of one that is leaving; null when there is none. */
    @Nullable
    static SubscriptionPart current(final Session session, final SubscriptionPart leaving) {
        final ClientSubscription current = session.subscriptions.get(leaving.subscription.id);
        return current == null ? null : current.partIn(leaving.interest.shard());
    }

    private void startNext(final Session session, final long id, final int shard) {
        SubscriptionPart next = first(session, id, shard);
        if (next == null) {
            final ClientSubscription current = session.subscriptions.get(id);
            next = current == null ? null : current.partIn(shard);
        }
        if (next == null || !next.isWaiting) {
            return;
        }
        next.isWaiting = false;
        if (next.interest.follow() != null) {
            context.submit(shard, new Resume(context.settings.ioAgent(), session.id, next.interest.part()));
        } else if (next.subscription.isHeldBack()) {
            next.isParked = true;
        } else {
            starter.start(session, next);
        }
    }

    /** The first part of an id that is leaving and behind, or null. */
    private static @Nullable SubscriptionPart first(final Session session, final long id, final int shard) {
        for (final SubscriptionPart part : session.leaving) {
            if (part.subscription.id == id && part.interest.shard() == shard && !part.isDescribed) {
                return part;
            }
        }
        return null;
    }
}
