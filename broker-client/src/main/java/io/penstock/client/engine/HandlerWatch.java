package io.penstock.client.engine;

import io.penstock.client.ClientConfig;
import io.penstock.client.warning.FailureLog;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** Warns when handlers keep the client's thread for so long that it neither sends nor receives. Owned by the agent. */
final class HandlerWatch {
    private final NanoClock clock;
    private final long limitNs;
    private final FailureLog log;
    private long formerCount;

    HandlerWatch(final ClientConfig config) {
        clock = config.nanoClock();
        limitNs = config.handlerWarningNs();
        log = new FailureLog(clock);
    }

    /**
     * What had come was handed out. Reads the clock once for all of it.
     *
     * @param beganNs when that began.
     * @param count   of messages that were handed over, ever.
     * @param last    whose message was handed over last.
     */
    void onHandedOut(final long beganNs, final long count, final @Nullable ActiveSubscription last) {
        if (limitNs == 0) {
            return;
        }
        final long tookNs = clock.nanoTime() - beganNs;
        if (tookNs >= limitNs) {
            warn(tookNs, count - formerCount, last);
        }
        formerCount = count;
    }

    private void warn(final long tookNs, final long count, final @Nullable ActiveSubscription last) {
        log.warn(() -> text(TimeUnit.NANOSECONDS.toMillis(tookNs), count, last), null);
    }

    private static String text(final long tookMs, final long count, final @Nullable ActiveSubscription last) {
        final String what = count == 0 || last == null
                ? "no message"
                : count + " messages, the last one of the subscription to "
                        + last.request().topic();
        return "handler: keeps the client's thread, which neither sends nor receives meanwhile: " + tookMs
                + " ms, with "
                + what + " (return sooner, subscribe with MessageHandler.on(executor, handler), or raise"
                + " client.handlerWarningNs; a machine without time for the program looks the same)";
    }
}
