package io.penstock.broker.session.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries of a client that are not answered yet. Confined to its I/O agent. */
public final class SessionQueries {
    private final List<ClientQuery> running = new ArrayList<>();
    private final List<HistoryQuery> histories = new ArrayList<>();
    private @Nullable ClientQuery partQuery;

    /** Those that run, or whose results are being sent. */
    public List<ClientQuery> running() {
        return running;
    }

    /** Those whose state, as it was, is still being made. */
    public List<HistoryQuery> histories() {
        return histories;
    }

    /** The one whose page is half sent, between whose parts nothing else may be offered; null when none is. */
    public @Nullable ClientQuery partQuery() {
        return partQuery;
    }

    /** The same, from now on. */
    public void partQuery(final @Nullable ClientQuery value) {
        partQuery = value;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return running.isEmpty() && histories.isEmpty();
    }
}
