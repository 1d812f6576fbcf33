package io.penstock.broker;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.transport.tls.TlsContexts;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Counts the days that the broker's certificate is valid for, and says once a day when they are few. Run by the writer of
 * events.
 */
final class CertificateWatch implements Runnable {
    static final long FEW_DAYS = 30;
    static final long LAST_DAYS = 7;

    private final TlsContexts tls;
    private final EpochNanoClock clock;
    private final AtomicCounter daysLeft;
    private final EventLog events;
    private long reportedDay;

    CertificateWatch(
            final TlsContexts tls, final EpochNanoClock clock, final AtomicCounter daysLeft, final EventLog events) {
        this.tls = tls;
        this.clock = clock;
        this.daysLeft = daysLeft;
        this.events = events;
    }

    /** Says which certificate the broker begins with, and what encrypts. */
    void begin() {
        events.report(
                EventKind.CERTIFICATE,
                "file",
                tls.certificateFile(),
                "daysLeft",
                tls.daysLeft(),
                "engine",
                tls.engine());
        run();
    }

    @Override
    public void run() {
        final long days = tls.daysLeft();
        daysLeft.setRelease(days);
        final long today = TimeUnit.NANOSECONDS.toDays(clock.nanoTime());
        if (days < FEW_DAYS && today != reportedDay) {
            reportedDay = today;
            events.report(
                    days < LAST_DAYS ? EventKind.CERTIFICATE_ENDS : EventKind.CERTIFICATE_ENDS_SOON,
                    "file",
                    tls.certificateFile(),
                    "daysLeft",
                    days);
        }
    }
}
