package io.penstock.spring.state;

import io.penstock.client.ConnectionException;
import io.penstock.client.Message;
import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.convert.MessageMapper;
import io.penstock.spring.listener.ListenerStartException;
import io.penstock.spring.state.PendingChanges.Change;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.converter.MessageConversionException;

/**
 * Follows a topic with a map: takes records on the client's thread, and converts and puts them on a thread of its own.
 * Start and stop follow each other; the rest is safe on any thread.
 */
final class StateMirror implements MessageHandler {
    private static final long RETRY_MS = 1000;

    /** How often it looks whether the client is connected, while nothing comes. */
    private static final long LOOK_MS = 100;

    private static final Log LOG = LogFactory.getLog(PenstockStateMap.class);

    private final String description;
    private final PenstockConnection connection;
    private final MirrorRequest request;
    private final MessageMapper mapper;
    private final KeyConverter keys;
    private final KeyOwners owners = new KeyOwners();
    private final PenstockStateMap<Object, Object> map;
    private final PendingChanges pending = new PendingChanges();
    private volatile CountDownLatch loadedOnce = new CountDownLatch(1);
    private final AtomicReference<MirrorState> state = new AtomicReference<>(MirrorState.STOPPED);
    private volatile @Nullable Subscription subscription;
    private volatile @Nullable RuntimeException failure;
    private volatile @Nullable Thread thread;

    /** What has come of all records, while they come. Of the mirror's thread. */
    private @Nullable Map<Object, Object> loading;

    StateMirror(
            final String description,
            final PenstockConnection connection,
            final MirrorRequest request,
            final MessageMapper mapper) {
        this.description = description;
        this.connection = connection;
        this.request = request;
        this.mapper = mapper;
        keys = new KeyConverter(mapper, request.keyType());
        map = new PenstockStateMap<>(request.toString(), this::state);
    }

    PenstockStateMap<Object, Object> map() {
        return map;
    }

    MirrorState state() {
        final MirrorState known = known();
        return isStale(known) ? MirrorState.STALE : known;
    }

    private MirrorState known() {
        return Objects.requireNonNull(state.get());
    }

    private boolean isStale(final MirrorState known) {
        return (known == MirrorState.LIVE || known == MirrorState.RESYNCHRONISING) && !connection.isConnected();
    }

    /** Begins to load; see {@link #awaitLoaded()}. */
    void start() {
        if (thread != null) {
            return;
        }
        state.set(MirrorState.LOADING);
        failure = null;
        loadedOnce = new CountDownLatch(1);
        pending.clear();
        final Thread made = new Thread(this::run, "penstock-state-" + request.topic());
        made.setDaemon(true);
        thread = made;
        made.start();
    }

    /** Waits until all records have come. */
    void awaitLoaded() {
        boolean isLoaded = false;
        try {
            isLoaded = loadedOnce.await(request.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        final RuntimeException reason = failure;
        if (isLoaded && state.get() != MirrorState.FAILED) {
            return;
        }
        throw new ListenerStartException(
                description,
                isLoaded ? "" : "timeout",
                isLoaded && reason != null
                        ? String.valueOf(reason.getMessage())
                        : "the " + request + " has not been loaded within " + request.timeout()
                                + (reason == null ? "" : ": " + reason.getMessage())
                                + " (see whether the broker is there, or wait for longer)",
                reason);
    }

    private void run() {
        loading = null;
        try {
            while (isMine() && state.get() != MirrorState.FAILED) {
                work();
            }
        } catch (final RuntimeException e) {
            fail(e);
        } catch (final Throwable e) {
            // Of a converter or a listener: without its thread the mirror would be old, and say that it is live.
            fail(new IllegalStateException(request + ": its thread has failed: " + e, e));
        }
    }

    /** Whether the calling thread is the one that was started last, and was not stopped. */
    private boolean isMine() {
        return Thread.currentThread().equals(thread);
    }

    private void work() {
        try {
            if (subscription == null) {
                subscribe();
                return;
            }
            final Change change = pending.take(LOOK_MS);
            if (change != null) {
                apply(change);
            }
            if (isStale(known())) {
                change(MirrorState.STALE);
            }
        } catch (final InterruptedException e) {
            // By the stop, or by a listener of its changes, for which it does not end.
            LOG.debug(request + ": the thread of its mirror was interrupted");
        }
    }

    /** Tries once, and waits after a failure; a broker that refuses it before it was ever loaded ends it. */
    private void subscribe() throws InterruptedException {
        try {
            pending.clear();
            final Subscription made = connection.client().subscribe(request.toSubscribe(), this);
            subscription = made;
            if (!isMine()) {
                made.close();
            }
        } catch (final PenstockException e) {
            if (loadedOnce.getCount() > 0 && !PenstockConnection.isPassing(e)) {
                throw e;
            }
            failure = e;
            if (!(e instanceof ConnectionException)) {
                LOG.warn(request + ": cannot subscribe, and tries again: " + e.getMessage());
            }
            TimeUnit.MILLISECONDS.sleep(RETRY_MS);
        }
    }

    private void fail(final RuntimeException reason) {
        if (!isMine()) {
            return;
        }
        LOG.error(request + ": is mirrored no more: " + reason.getMessage());
        failure = reason;
        change(MirrorState.FAILED);
        loadedOnce.countDown();
        closeSubscription();
        pending.clear();
    }

    private void change(final MirrorState now) {
        final MirrorState before = state.get();
        if (isMine() && before != now && before != MirrorState.STOPPED && state.compareAndSet(before, now)) {
            map.onState(now);
        }
    }

    private void apply(final Change change) {
        switch (change.kind()) {
            case BEGIN -> {
                loading = new HashMap<>();
                owners.begin();
                change(loadedOnce.getCount() > 0 ? MirrorState.LOADING : MirrorState.RESYNCHRONISING);
            }
            case END -> {
                if (loading != null) {
                    map.onLoaded(loading);
                    loading = null;
                    owners.end();
                }
                change(MirrorState.LIVE);
                loadedOnce.countDown();
            }
            case RECORD -> apply(Objects.requireNonNull(change.message()));
            case SUBSCRIPTION_ENDED -> {
                final String text = request + ": its subscription has ended, and is made again: " + change.reason();
                if (change.reason() instanceof ConnectionException && !connection.isConnected()) {
                    LOG.debug(text);
                } else {
                    LOG.warn(text);
                }
                change(connection.isConnected() ? MirrorState.RESYNCHRONISING : MirrorState.STALE);
                subscription = null;
            }
        }
    }

    private void apply(final Message message) {
        try {
            final KeyOwners.Key key = keys.key(message);
            if (records().containsKey(key.value()) && owners.isOfAnother(key, message.key())) {
                leaveOut(message);
            } else if (message.kind().isOutOfFocus()) {
                remove(key);
            } else {
                put(key, message);
            }
        } catch (final MessageConversionException e) {
            map.onFailure();
            LOG.error(request + ": a record cannot be converted, and is missing: "
                    + LogText.of(String.valueOf(e.getMessage())));
        }
    }

    private void leaveOut(final Message message) {
        if (!message.kind().isOutOfFocus()) {
            map.onFailure();
            LOG.error(request + ": a record is left out, as another one has the same key in the map: " + message.key()
                    + " (choose a type of the map's keys that tells them apart)");
        }
    }

    private Map<Object, Object> records() {
        return loading == null ? map : loading;
    }

    private void put(final KeyOwners.Key key, final Message message) {
        final Object value;
        try {
            value = mapper.payload(message, request.valueType());
        } catch (final MessageConversionException e) {
            // An old value would be wrong.
            remove(key);
            throw e;
        }
        if (records().size() >= request.limit() && !records().containsKey(key.value())) {
            throw new PenstockException(
                    request + ": has more records than its mirror may hold: " + request.limit()
                            + " (narrow it by a filter, or raise its limit)",
                    null);
        }
        owners.put(key, message.key());
        if (loading == null) {
            map.onPut(key.value(), value);
        } else {
            loading.put(key.value(), value);
        }
    }

    private void remove(final KeyOwners.Key key) {
        owners.remove(key);
        if (loading == null) {
            map.onRemove(key.value());
        } else {
            loading.remove(key.value());
        }
    }

    @Override
    public void onGroupBegin(final String topic, final int shard, final long sequence) {
        pending.begin();
    }

    @Override
    public void onGroupEnd(final long topicMatches, final long matches, final long returned) {
        pending.end();
    }

    @Override
    public void onMessage(final MessageView message) {
        pending.add(message.toMessage());
    }

    @Override
    public void onEnd(final Subscription ended, final PenstockException reason) {
        pending.subscriptionEnded(reason);
    }

    void stop() {
        final boolean wasRunning = state.getAndSet(MirrorState.STOPPED) != MirrorState.STOPPED;
        final Thread running = thread;
        thread = null;
        closeSubscription();
        if (running != null) {
            running.interrupt();
        }
        if (wasRunning) {
            map.onState(MirrorState.STOPPED);
        }
    }

    private void closeSubscription() {
        final Subscription known = subscription;
        subscription = null;
        if (known != null) {
            try {
                known.close();
            } catch (final PenstockException e) {
                LOG.warn(request + ": its subscription is given up without an answer of the broker: " + e.getMessage());
            }
        }
    }

    /** Returns what it mirrors. */
    @Override
    public String toString() {
        return "mirror of the " + request;
    }
}
