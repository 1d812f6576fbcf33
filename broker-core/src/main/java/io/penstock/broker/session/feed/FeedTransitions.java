package io.penstock.broker.session.feed;

import static io.penstock.broker.session.feed.FeedEvent.CAUGHT_UP;
import static io.penstock.broker.session.feed.FeedEvent.CURSOR_STARTED;
import static io.penstock.broker.session.feed.FeedEvent.FILES_READ;
import static io.penstock.broker.session.feed.FeedEvent.FILES_STARTED;
import static io.penstock.broker.session.feed.FeedEvent.HELD_BACK;
import static io.penstock.broker.session.feed.FeedEvent.LOST;
import static io.penstock.broker.session.feed.FeedEvent.PUT_OFF;
import static io.penstock.broker.session.feed.FeedEvent.RANGE_SENT;
import static io.penstock.broker.session.feed.FeedEvent.RELEASED;
import static io.penstock.broker.session.feed.FeedEvent.RESUMED;
import static io.penstock.broker.session.feed.FeedEvent.STATE_BEGUN;
import static io.penstock.broker.session.feed.FeedState.CURSOR;
import static io.penstock.broker.session.feed.FeedState.ENDED;
import static io.penstock.broker.session.feed.FeedState.FILES;
import static io.penstock.broker.session.feed.FeedState.LIVE;
import static io.penstock.broker.session.feed.FeedState.PARKED;
import static io.penstock.broker.session.feed.FeedState.STARTING;
import static io.penstock.broker.session.feed.FeedState.STATE;
import static io.penstock.broker.session.feed.FeedState.SWITCHING;
import static io.penstock.broker.session.feed.FeedState.WAITING;

import java.util.EnumMap;
import java.util.Map;

/**
 * The one table of transitions between the servers of a feed. A feed that goes on under another number begins as
 * SWITCHING.
 */
final class FeedTransitions {
    private static final Map<FeedState, Map<FeedEvent, FeedState>> NEXT = new EnumMap<>(FeedState.class);

    static {
        put(LIVE, STATE_BEGUN, STATE);
        put(LIVE, CURSOR_STARTED, CURSOR);
        put(LIVE, PUT_OFF, WAITING);

        put(STATE, CURSOR_STARTED, CURSOR);
        put(STATE, RELEASED, LIVE);

        put(CURSOR, CAUGHT_UP, LIVE);
        put(CURSOR, RANGE_SENT, ENDED);
        put(CURSOR, LOST, ENDED);

        put(FILES, FILES_READ, CURSOR);
        put(FILES, RANGE_SENT, ENDED);
        put(FILES, LOST, ENDED);

        put(SWITCHING, CURSOR_STARTED, CURSOR);
        put(SWITCHING, FILES_STARTED, FILES);
        put(SWITCHING, HELD_BACK, PARKED);
        put(SWITCHING, PUT_OFF, WAITING);

        put(STARTING, CURSOR_STARTED, CURSOR);
        put(STARTING, FILES_STARTED, FILES);
        put(STARTING, HELD_BACK, PARKED);

        put(PARKED, RESUMED, STARTING);

        put(WAITING, RESUMED, STARTING);
        put(WAITING, HELD_BACK, PARKED);
        put(WAITING, RELEASED, LIVE);
    }

    private FeedTransitions() {}

    static FeedState next(final FeedState state, final FeedEvent event) {
        final Map<FeedEvent, FeedState> events = NEXT.get(state);
        final FeedState next = events == null ? null : events.get(event);
        if (next == null) {
            throw new IllegalStateException("feed: " + event + " cannot happen to one that is " + state);
        }
        return next;
    }

    private static void put(final FeedState state, final FeedEvent event, final FeedState next) {
        NEXT.computeIfAbsent(state, of -> new EnumMap<>(FeedEvent.class)).put(event, next);
    }
}
