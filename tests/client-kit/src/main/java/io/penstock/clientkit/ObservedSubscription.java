package io.penstock.clientkit;

import io.penstock.client.Message;
import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a subscription delivers, once it has told that there is one, and gives credit back by halves. Handlers are called on the
 * client's thread, {@link #begin} on another.
 */
final class ObservedSubscription implements MessageHandler {
    private final Observations observations;
    private final String of;
    private final long credit;
    private final List<Runnable> early = new ArrayList<>();
    private @Nullable Subscription subscription;
    private @Nullable Message last;
    private long done;

    ObservedSubscription(final Observations observations, final String of, final long credit) {
        this.observations = observations;
        this.of = of;
        this.credit = credit;
    }

    /** The broker has accepted it. */
    synchronized void begin(final Subscription accepted) {
        subscription = accepted;
        observations.tell(of, "subscribed");
        early.forEach(Runnable::run);
        early.clear();
        giveCredit();
    }

    @Nullable
    Subscription subscription() {
        return subscription;
    }

    synchronized @Nullable Message last() {
        return last;
    }

    private synchronized void tell(final Runnable what) {
        if (subscription == null) {
            early.add(what);
        } else {
            what.run();
        }
    }

    @Override
    public void onMessage(final MessageView view) {
        final Message message = view.toMessage();
        final int creditLength = view.creditLength();
        synchronized (this) {
            last = message;
            tell(() -> observations.message(of, message, creditLength));
            done += creditLength;
            giveCredit();
        }
    }

    private synchronized void giveCredit() {
        final Subscription accepted = subscription;
        if (credit > 0 && done * 2 >= credit && accepted != null) {
            accepted.credit(done);
            done = 0;
        }
    }

    @Override
    public void onGroupBegin(final String topic, final int shard, final long sequence) {
        tell(() -> observations.tell(of, "stateBegin", Map.of("topic", topic, "sequence", sequence)));
    }

    @Override
    public void onGroupEnd(final long topicMatches, final long matches, final long returned) {
        tell(() -> observations.tell(of, "stateEnd", Map.of("matches", matches, "returned", returned)));
    }

    @Override
    public void onCompleted(final Subscription completed) {
        tell(() -> observations.tell(of, "completed"));
    }

    @Override
    public void onEnd(final Subscription ended, final PenstockException reason) {
        tell(() -> observations.failed(of, "ended", reason));
    }
}
