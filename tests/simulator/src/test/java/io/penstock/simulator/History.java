package io.penstock.simulator;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that was published, what was acknowledged of it, and what the logs have of it. */
final class History {
    private final Map<String, Map<Long, Message>> published = new HashMap<>();
    private final Set<Message> acknowledged = new LinkedHashSet<>();
    private final Set<Message> applied = new LinkedHashSet<>();

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
            acknowledged.add(message);
        }
    }

    /** Logs are about to be read. */
    void beginReplay() {
        applied.clear();
    }

    void onApplied(final Message message) {
        applied.add(message);
    }

    boolean isApplied(final Message message) {
        return applied.contains(message);
    }

    /** All logs were read. */
    void endReplay() {
        for (final Message message : acknowledged) {
            if (!applied.contains(message)) {
                throw new Violation("acknowledged as persisted, and not in the log: " + message);
            }
        }
    }
}
