package io.penstock.spring.listener;

import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A subscription with a name of the shared client, on credit; opened once. Its credit is given back in the order of the
 * messages, shard by shard: so no more messages are open at the client than have had credit, however late the first of
 * them is done.
 */
final class DurableSource implements Source, MessageHandler {
    private static final Log LOG = LogFactory.getLog(PenstockListenerContainer.class);

    private final PenstockConnection connection;
    private final ListenerSubscription request;
    private final HeldCredit credit;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, Deque<Delivery>> open = new HashMap<>();

    /** Messages that were done before the subscription was known. */
    private final List<Delivery> early = new ArrayList<>();

    private volatile @Nullable Subscription subscription;
    private volatile @Nullable Receiver receiver;

    DurableSource(final PenstockConnection connection, final ListenerSubscription request) {
        this.connection = connection;
        this.request = request;
        credit = new HeldCredit(request.credit());
    }

    @Override
    public void open(final Receiver newReceiver) {
        receiver = newReceiver;
        final Subscription made = connection
                .client()
                .subscribe(
                        request.durable(),
                        request.toReplay().credit(credit.begin()),
                        this,
                        io.penstock.client.AckMode.MANUAL);
        lock.lock();
        try {
            subscription = made;
        } finally {
            lock.unlock();
        }
        // From here on nobody adds to it.
        for (final Delivery delivery : early) {
            try {
                acknowledge(made, delivery);
            } catch (final RuntimeException e) {
                LOG.error(delivery + " is processed and could not be noted, so it may come again: " + LogText.of(e), e);
            }
        }
        early.clear();
        credit.onSubscribed(made);
    }

    @Override
    public void close() {
        final Subscription known = subscription;
        if (known != null) {
            known.close();
        }
    }

    @Override
    public void onMessage(final MessageView message) {
        final Delivery delivery = new Delivery(message.toMessage(), message.creditLength(), this);
        final Receiver known = receiver;
        if (known == null) {
            return;
        }
        credit.add(delivery.length());
        lock.lock();
        try {
            open.computeIfAbsent(message.shard(), shard -> new ArrayDeque<>()).add(delivery);
        } finally {
            lock.unlock();
        }
        try {
            known.onDelivery(delivery);
        } catch (final RuntimeException e) {
            // Nobody will be done with it, and it may come again.
            withdraw(delivery);
            throw e;
        }
    }

    private void withdraw(final Delivery delivery) {
        lock.lock();
        try {
            final Deque<Delivery> ofShard = open.get(delivery.message().shard());
            if (ofShard == null || !ofShard.removeLastOccurrence(delivery)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        credit.remove(delivery.length());
    }

    @Override
    public void done(final Delivery delivery) {
        try {
            final Subscription known = subscriptionOrLater(delivery);
            if (known != null) {
                acknowledge(known, delivery);
            }
        } finally {
            credit.remove(lengthOfDone(delivery.message().shard()));
        }
    }

    private static void acknowledge(final Subscription to, final Delivery delivery) {
        to.acknowledge(delivery.message().shard(), delivery.message().sequence());
    }

    /** A message may be done before the call that subscribes has returned; null then. */
    private @Nullable Subscription subscriptionOrLater(final Delivery delivery) {
        lock.lock();
        try {
            if (subscription == null) {
                early.add(delivery);
            }
            return subscription;
        } finally {
            lock.unlock();
        }
    }

    private long lengthOfDone(final int shard) {
        lock.lock();
        try {
            long length = 0;
            final Deque<Delivery> ofShard = open.get(shard);
            while (ofShard != null && !ofShard.isEmpty() && ofShard.peek().isDone()) {
                length += ofShard.remove().length();
            }
            return length;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onCompleted(final Subscription completed) {
        final Receiver known = receiver;
        if (known != null && request.hasEnd()) {
            known.onCompleted();
        }
    }

    @Override
    public void onEnd(final Subscription ended, final PenstockException reason) {
        final Receiver known = receiver;
        if (known != null) {
            known.onEnd(reason);
        }
    }
}
