package io.penstock.admin.api;

import io.penstock.admin.http.EventStream;
import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.ProblemException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The streams of events that are open, of all kinds. Bounded. Safe on any thread. */
final class Streams {
    private static final byte[] COMMENT = EventStream.event("", "", new byte[0]);

    private final int countMax;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<EventStream> kept = ConcurrentHashMap.newKeySet();

    Streams(final int countMax) {
        this.countMax = countMax;
    }

    int count() {
        return count.get();
    }

    /** Opens a stream. Throws a problem when there are too many. */
    EventStream open(final Exchange exchange) {
        if (count.incrementAndGet() > countMax) {
            count.decrementAndGet();
            throw new ProblemException(
                    503,
                    "TOO_MANY_STREAMS",
                    "server: has " + countMax + " streams already (close one, or raise admin.streamCountMax)");
        }
        final EventStream stream = exchange.stream("text/event-stream; charset=utf-8");
        stream.onClosed(count::decrementAndGet);
        return stream;
    }

    /** Has something sent to a stream from time to time, so that everybody sees that the other is there. */
    void keep(final EventStream stream) {
        kept.add(stream);
        stream.onClosed(() -> kept.remove(stream));
    }

    /** Sends what shows that the server is there, to those who read. */
    void sendComments() {
        for (final EventStream stream : kept) {
            if (stream.isReady()) {
                stream.send(COMMENT);
            }
        }
    }
}
