package io.penstock.broker.event;

/** Takes events, one after another. A program gives its own to have them elsewhere than in its loggers; see {@link LoggedEvents}. */
@FunctionalInterface
public interface EventHandler {
    /** Takes no notice. */
    EventHandler NONE = event -> {};

    /**
     * Takes an event. It may block; events that come meanwhile wait, up to a bound.
     *
     * @param event that has happened.
     */
    void onEvent(Event event);

    /**
     * Whether events of a kind are of interest; others are not made. Called on any thread, must not block.
     *
     * @param kind of events.
     * @return true unless they would be dropped.
     */
    default boolean wants(final EventKind kind) {
        return true;
    }
}
