package io.penstock.spring.listener;

import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import io.penstock.spring.PenstockConnection;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions of the shared client on credit: the broker sends no more than the container may hold, and what waits for a
 * slow listener does not hold up others.
 */
final class CreditSource implements Source {
    private final PenstockConnection connection;
    private final ListenerSubscription request;
    private final HeldCredit credit;

    /** Null unless it reads the log. */
    private final @Nullable LogProgress progress;

    private volatile @Nullable Subscription subscription;

    CreditSource(final PenstockConnection connection, final ListenerSubscription request) {
        this.connection = connection;
        this.request = request;
        credit = new HeldCredit(request.credit());
        progress = request.isFromLog() ? new LogProgress(request.toReplay()) : null;
    }

    @Override
    public void open(final Receiver receiver) {
        final PenstockClient client = connection.client();
        final Handler handler = new Handler(receiver);
        final long first = credit.begin();
        final Subscription made = progress == null
                ? client.subscribe(request.toSubscribe().credit(first), handler)
                : client.subscribe(progress.next().credit(first), handler);
        subscription = made;
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
    public void done(final Delivery delivery) {
        credit.remove(delivery.length());
    }

    /** Of one subscription. Called on the client's thread. */
    private final class Handler implements MessageHandler {
        private final Receiver receiver;

        Handler(final Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void onMessage(final MessageView message) {
            final Delivery delivery = new Delivery(message.toMessage(), message.creditLength(), CreditSource.this);
            credit.add(delivery.length());
            if (progress == null || progress.take(message.shard(), message.sequence(), message.timestampNs())) {
                handOver(delivery);
            } else {
                delivery.acknowledge();
            }
        }

        private void handOver(final Delivery delivery) {
            try {
                receiver.onDelivery(delivery);
            } catch (final RuntimeException e) {
                // Nobody else will.
                delivery.acknowledge();
                throw e;
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
}
