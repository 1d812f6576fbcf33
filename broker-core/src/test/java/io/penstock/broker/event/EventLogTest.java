package io.penstock.broker.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventLogTest {
    private static final int MANY = 100_000;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final AtomicCounter suppressed = new BrokerCounters(1).newCounter("broker", "eventsSuppressed");
    private final List<String> written = new ArrayList<>();

    @Test
    void shouldWriteInOrderWhenReported() {
        final EventLog log = log(event -> written.add(event.timeMs() + " " + event));
        clock.advance(TimeUnit.MILLISECONDS.toNanos(5));
        log.report(EventKind.LISTENING, "endpoint", "tcp://127.0.0.1:9100");
        log.report(EventKind.STOPPED, "messages", 3L, "delivered", 2);

        assertThat(log.doWork()).isEqualTo(2);
        assertThat(written)
                .containsExactly("5 listening endpoint=tcp://127.0.0.1:9100", "5 stopped messages=3 delivered=2");
    }

    @Test
    void shouldAdmitNoMoreThanItWritesAndCountTheOthersWhenAskedBefore() {
        final EventLog log = log(event -> written.add(event.toString()));
        int admitted = 0;
        for (int i = 0; i < MANY; i++) {
            if (log.admits(EventKind.SUBSCRIPTION_SLOW)) {
                log.report(EventKind.SUBSCRIPTION_SLOW, "n", i);
                admitted++;
            }
        }
        log.doWork();
        assertThat(written).hasSize(admitted).hasSize(EventKind.SUBSCRIPTION_SLOW.limit());
        assertThat(suppressed.get()).isEqualTo(MANY - admitted);
    }

    @Test
    void shouldWriteSoManyAndCountTheOthersWhenAPeerDoesItOverAndOver() {
        final EventLog log = log(event -> written.add(event.toString()));
        for (int i = 0; i < MANY; i++) {
            log.report(EventKind.CONNECTION_REFUSED, "n", i);
        }
        log.report(EventKind.STOPPED);
        log.doWork();
        final int limit = EventKind.CONNECTION_REFUSED.limit();
        assertThat(written).hasSize(limit + 1).endsWith("stopped");
        assertThat(suppressed.get()).isEqualTo(MANY - limit);

        clock.advance(TimeUnit.SECONDS.toNanos(1));
        log.doWork();
        assertThat(written)
                .endsWith("eventsSuppressed kind=transport.connectionRefused count=" + (MANY - limit))
                .hasSize(limit + 2);

        log.report(EventKind.CONNECTION_REFUSED, "n", MANY);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        log.doWork();
        assertThat(written).endsWith("connectionRefused n=" + MANY).hasSize(limit + 3);
    }

    @Test
    void shouldCountWhatFindsNoRoomWhenNobodyWrites() {
        final EventLog log = log(event -> written.add(event.toString()));
        for (final EventKind kind : EventKind.values()) {
            for (int i = 0; i < 2 * kind.limit(); i++) {
                log.report(kind);
            }
        }
        log.finish();

        final long known = written.stream()
                .filter(line -> !line.startsWith("eventsSuppressed kind="))
                .count();
        int total = 0;
        for (final EventKind kind : EventKind.values()) {
            total += 2 * kind.limit();
        }
        assertThat(known + suppressed.get()).isEqualTo(total);
    }

    @Test
    void shouldGoOnWhenTheHandlerFails() {
        final EventLog log = log(event -> {
            written.add(event.toString());
            throw new IllegalStateException("no disk");
        });
        log.report(EventKind.STOPPED);
        log.report(EventKind.DRAINED);

        assertThat(log.doWork()).isEqualTo(2);
        assertThat(written).hasSize(2);
        assertThat(suppressed.get()).isEqualTo(2);
    }

    @Test
    void shouldNeitherWriteNorCountWhenNobodyIsInterested() {
        final EventLog log = log(new EventHandler() {
            @Override
            public void onEvent(final Event event) {
                written.add(event.toString());
            }

            @Override
            public boolean wants(final EventKind kind) {
                return kind == EventKind.STOPPED;
            }
        });
        for (int i = 0; i < MANY; i++) {
            log.report(EventKind.CONNECTION_LOST);
        }
        log.report(EventKind.STOPPED);
        log.finish();

        assertThat(written).containsExactly("stopped");
        assertThat(suppressed.get()).isZero();
    }

    @Test
    void shouldComeToTheLoggerOfItsAreaWhenAProgramHasNoHandlerOfItsOwn() {
        final Logger logger = Logger.getLogger("io.penstock.broker.session");
        final List<LogRecord> records = new ArrayList<>();
        final Handler handler = new Handler() {
            @Override
            public void publish(final LogRecord record) {
                records.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            final EventLog log = log(LoggedEvents.INSTANCE);
            log.report(EventKind.SESSION_CLOSED, "peer", "{0}", "reason", "a\nb");
            log.report(EventKind.LOGGED_ON);
            log.finish();
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }

        assertThat(records)
                .extracting(record -> record.getLevel() + " " + record.getMessage())
                .containsExactly("WARNING closed peer={0} reason=\"a\\nb\"");
    }

    @Test
    @Timeout(30)
    void shouldNotKeepReportersWaitingWhenTheHandlerBlocks() throws InterruptedException {
        final CountDownLatch blocked = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        final EventLog log = log(event -> {
            blocked.countDown();
            try {
                released.await();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            written.add(event.toString());
        });
        final EventThread thread = new EventThread(log, "events");
        log.report(EventKind.STOPPED);
        blocked.await();
        for (int i = 0; i < MANY; i++) {
            log.report(EventKind.SESSION_CLOSED);
        }
        released.countDown();
        thread.close();

        assertThat(written).startsWith("stopped").hasSize(1 + EventKind.SESSION_CLOSED.limit() + 1);
    }

    @Test
    void shouldGoOnWhenTheHandlerOrTheTaskFailsWithAnError() {
        final EventLog log = log(event -> {
            written.add(event.toString());
            throw new Error("tzdb.dat (Too many open files)");
        });
        log.atIntervals(() -> {
            throw new ExceptionInInitializerError("task");
        });
        log.report(EventKind.STOPPED);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        log.doWork();
        log.report(EventKind.STOPPED);
        log.doWork();

        assertThat(written).containsExactly("stopped", "stopped");
        assertThat(suppressed.get()).isEqualTo(3);
    }

    private EventLog log(final EventHandler handler) {
        clock.update(0);
        return new EventLog(handler, clock, clock::nanoTime, suppressed);
    }
}
