package io.penstock.broker.event;

/** Gives events to the JDK's loggers, one for each area: {@code io.penstock.broker.} and the area. Any thread. */
// As places in an array.
@SuppressWarnings("EnumOrdinal")
public final class LoggedEvents implements EventHandler {
    public static final LoggedEvents INSTANCE = new LoggedEvents();

    private static final String PREFIX = "io.penstock.broker.";

    /** Loggers by the ordinal of the kind. */
    private final System.Logger[] loggers;

    private LoggedEvents() {
        final EventKind[] kinds = EventKind.values();
        loggers = new System.Logger[kinds.length];
        for (final EventKind kind : kinds) {
            loggers[kind.ordinal()] = System.getLogger(PREFIX + kind.area());
        }
    }

    @Override
    public void onEvent(final Event event) {
        // The event goes as an object: a logger that knows events may write its values separately.
        loggers[event.kind().ordinal()].log(event.kind().level(), event);
    }

    @Override
    public boolean wants(final EventKind kind) {
        return loggers[kind.ordinal()].isLoggable(kind.level());
    }
}
