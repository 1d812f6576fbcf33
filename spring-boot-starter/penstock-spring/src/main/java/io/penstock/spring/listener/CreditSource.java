package io.penstock.spring.listener;

import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import io.penstock.spring.PenstockConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of the shared client on credit: the broker sends no more than its container may hold, and what waits for a
 * slow listener does not hold up others.
 *
 * <p>Credit of a durable subscription is given back in the order of the messages, shard by shard: so no more messages are
 * open at the client than have had credit, however late the first of them is done.
 */
final class CreditSource implements Source, MessageHandler {
    private final PenstockConnection connection;
    private final ListenerSubscription request;
    private final Receiver receiver;
    private final long grant;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, Deque<Delivery>> open = new HashMap<>();
    /** Messages that were done before the subscription was known. */
    private final List<Delivery> early = new ArrayList<>();

    /** To be given back: kept until it is worth a command. */
    private final AtomicLong due = new AtomicLong();

    private volatile @Nullable Subscription subscription;

    CreditSource(final PenstockConnection connection, final ListenerSubscription request, final Receiver receiver) {
        this.connection = connection;
        this.request = request;
        this.receiver = receiver;
        grant = Math.max(1, request.credit() / 2);
    }

    @Override
    public void open() {
        final PenstockClient client = connection.client();
        final Subscription made;
        if (request.isDurable()) {
            made = client.subscribe(request.durable(), request.toReplay(), this, io.penstock.client.AckMode.MANUAL);
        } else if (request.isFromLog()) {
            made = client.subscribe(request.toReplay(), this);
        } else {
            made = client.subscribe(request.toSubscribe().credit(request.credit()), this);
        }
        lock.lock();
        try {
            subscription = made;
        } finally {
            lock.unlock();
        }
        early.forEach(delivery ->
                made.acknowledge(delivery.message().shard(), delivery.message().sequence()));
        early.clear();
        giveBack(0);
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
        if (request.isDurable()) {
            lock.lock();
            try {
                open.computeIfAbsent(message.shard(), shard -> new ArrayDeque<>())
                        .add(delivery);
            } finally {
                lock.unlock();
            }
        }
        receiver.onDelivery(delivery);
    }

    @Override
    public void done(final Delivery delivery) {
        if (!request.isDurable()) {
            giveBack(delivery.length());
            return;
        }
        final Subscription known = subscriptionOrLater(delivery);
        if (known != null) {
            known.acknowledge(delivery.message().shard(), delivery.message().sequence());
        }
        giveBack(lengthOfDone(delivery.message().shard()));
    }

    /** A message may be done before the call that subscribes has returned; null then. */
    private @Nullable Subscription subscriptionOrLater(final Delivery delivery) {
        final Subscription known = subscription;
        if (known != null) {
            return known;
        }
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

    private void giveBack(final long length) {
        final Subscription known = subscription;
        if (due.addAndGet(length) < grant || known == null) {
            return;
        }
        final long given = due.getAndSet(0);
        if (given > 0) {
            known.credit(given);
        }
    }

    @Override
    public void onCompleted(final Subscription completed) {
        if (request.hasEnd()) {
            receiver.onCompleted();
        }
    }

    @Override
    public void onEnd(final Subscription ended, final PenstockException reason) {
        receiver.onEnd(reason);
    }
}
