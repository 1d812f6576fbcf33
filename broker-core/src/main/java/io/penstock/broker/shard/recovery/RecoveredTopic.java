package io.penstock.broker.shard.recovery;

import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares a topic of the log with what the configuration declares. */
public final class RecoveredTopic {
    private RecoveredTopic() {}

    /** Returns how the declaration of a topic differs from the log; null when it is the same. */
    public static @Nullable String difference(final Topic known, final String format, final @Nullable StateRule state) {
        if (!known.format().name().equals(format)) {
            return "is declared with format " + format + ", and in the log with "
                    + known.format().name();
        }
        if (!Objects.equals(known.state(), state)) {
            return "is declared with " + describe(state) + ", and in the log with " + describe(known.state());
        }
        return null;
    }

    private static String describe(final @Nullable StateRule state) {
        return state == null ? "no key" : "key " + state.keyText() + " and expiration " + state.expirationNs() + " ns";
    }
}
