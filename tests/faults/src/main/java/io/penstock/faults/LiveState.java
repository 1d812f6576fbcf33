package io.penstock.faults;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.SowRequest;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Asks a broker for its state, and compares it with its log. */
final class LiveState {
    private LiveState() {}

    /** What differs when a broker has started from a log and got nothing since; null when nothing does. */
    static @Nullable String difference(final String endpoint, final LogContents log) {
        return compare(endpoint, log, false);
    }

    /** What is older than in the log, when a broker has taken messages that are not written yet; or null. */
    static @Nullable String older(final String endpoint, final LogContents log) {
        return compare(endpoint, log, true);
    }

    private static @Nullable String compare(final String endpoint, final LogContents log, final boolean mayBeNewer) {
        if (log.state().isEmpty()) {
            return null;
        }
        final Map<String, String> expected = new TreeMap<>(log.state());
        try (PenstockClient client = PenstockClient.connect(endpoint)) {
            for (final Message message :
                    client.sow(SowRequest.topic(LoadMessage.STATE_TOPIC)).messages()) {
                final String text = message.text();
                final String key = text.substring(text.indexOf(":\"") + 2, text.indexOf("\","));
                final String logged = expected.remove(key);
                final boolean isRight = mayBeNewer
                        ? logged == null || LoadMessage.sequence(text) >= LoadMessage.sequence(logged)
                        : text.equals(logged);
                if (!isRight) {
                    return "state: record " + key + " is " + text + ", in the log " + logged;
                }
            }
        } catch (final PenstockException e) {
            return "state: cannot be queried: " + e.getMessage();
        }
        return expected.isEmpty() ? null : "state: records are missing: " + expected.keySet();
    }
}
