package io.penstock.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that was published, what was acknowledged of it, and what the logs have of it. */
final class History {
    private final Map<String, Map<Long, Message>> published = new HashMap<>();

    /** Without what is kept. */
    private final List<Message> acknowledged = new ArrayList<>();

    /** By the present replay, without what is kept. */
    private final List<Message> applied = new ArrayList<>();

    private long replay;

    void onPublished(final String publisher, final Message message) {
        published.computeIfAbsent(publisher, name -> new HashMap<>()).put(message.sequence, message);
    }

    @Nullable
    Message find(final String publisher, final long sequence) {
        return published.getOrDefault(publisher, Map.of()).get(sequence);
    }

    void onPersisted(final Message message) {
        if (!message.isAcknowledged) {
            message.isAcknowledged = true;
            if (!message.isKept) {
                acknowledged.add(message);
            }
        }
    }

    /** Logs are about to be read. */
    void beginReplay() {
        replay++;
        applied.clear();
    }

    void onApplied(final Message message) {
        message.appliedIn = replay;
        applied.add(message);
    }

    boolean isApplied(final Message message) {
        return message.isKept || message.appliedIn == replay;
    }

    /** All logs were read. */
    void endReplay() {
        for (final Message message : acknowledged) {
            if (!isApplied(message)) {
                throw new Violation("acknowledged as persisted, and not in the log: " + message);
            }
        }
    }

    /** What the last replay has applied may not be lost any more. */
    void keep() {
        for (final Message message : applied) {
            message.isKept = true;
        }
        acknowledged.removeIf(message -> message.isKept);
    }
}
