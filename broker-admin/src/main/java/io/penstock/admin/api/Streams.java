package io.penstock.admin.api;

import io.penstock.admin.http.EventStream;
import io.penstock.admin.http.Exchange;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of events that are open, of all kinds. Bounded. Safe on any thread. */
final class Streams {
    private static final byte[] COMMENT = EventStream.event("", "", new byte[0]);

    private final Shares places;
    private final Set<EventStream> kept = ConcurrentHashMap.newKeySet();

    Streams(final Shares places) {
        this.places = places;
    }

    int count() {
        return places.count();
    }

    /** Opens a stream. Throws a problem when there are too many. */
    EventStream open(final Exchange exchange, final Caller caller) {
        final Runnable place = places.take(caller);
        final EventStream stream;
        try {
            stream = exchange.stream("text/event-stream; charset=utf-8");
        } catch (final RuntimeException e) {
            place.run();
            throw e;
        }
        stream.onClosed(place);
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
