package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a client knows of a topic by one subscription with the state, record by record. */
final class StateMirror {
    final String topic;

    /** Records with this number or more are in it. */
    int priceMin;

    /** Why it has ended; null as long as it follows. */
    @Nullable
    BrokerError end;

    final Map<String, Map<String, @Nullable Object>> records = new TreeMap<>();
    private boolean isInState;

    StateMirror(final String topic, final int priceMin) {
        this.topic = topic;
        this.priceMin = priceMin;
    }

    /** The fields that name a record, or what its publisher has named it by. */
    static String key(final Map<String, @Nullable Object> fields, final String given) {
        return given.isEmpty() ? String.valueOf(fields.get("s")) : given;
    }

    void onBegin() {
        assertFollows("state");
        records.clear();
        isInState = true;
    }

    void onEnd() {
        assertThat(isInState).as("end of a state that has begun").isTrue();
        isInState = false;
    }

    void onError(final BrokerError error) {
        assertFollows(error.toString());
        assertThat(error.commandId()).as("of the subscription: %s", error).isZero();
        end = error;
    }

    void onRecord(final RecordKind kind, final String text, final String given) {
        assertFollows(text);
        assertThat(kind == RecordKind.STATE).as("%s %s", kind, text).isEqualTo(isInState);
        final Map<String, @Nullable Object> fields = ModelJson.parse(text);
        final String key = key(fields, given);
        switch (kind) {
            case STATE, MESSAGE -> records.put(key, fields);
            case DELTA -> {
                assertThat(records).as("delta of %s", text).containsKey(key);
                records.put(key, ModelJson.merged(records.get(key), fields));
            }
            default -> records.remove(key);
        }
    }

    /** Whether a record of the topic is in it. */
    boolean matches(final Map<String, @Nullable Object> fields) {
        return fields.get("p") instanceof Double price && price >= priceMin;
    }

    private void assertFollows(final String what) {
        assertThat(end).as("nothing comes after the end, but: %s", what).isNull();
    }
}
