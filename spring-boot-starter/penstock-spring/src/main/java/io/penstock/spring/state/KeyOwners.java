package io.penstock.spring.state;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells records apart whose keys become one key of the map, as the number 1 and the text "1" do in a map with texts. Keeps a text for
 * each key that was converted, and nothing for others. Of the mirror's thread.
 */
final class KeyOwners {
    /**
     * A key of the map.
     *
     * @param value       of the map's type.
     * @param isConverted whether the record's key is of another type.
     */
    record Key(Object value, boolean isConverted) {}

    private Map<Object, String> texts = new HashMap<>();

    /** Of those that are loading; null while none are. */
    private @Nullable Map<Object, String> loading;

    /** All records come again. */
    void begin() {
        loading = new HashMap<>();
    }

    /** All have come. */
    void end() {
        texts = Objects.requireNonNullElse(loading, texts);
        loading = null;
    }

    private Map<Object, String> known() {
        return Objects.requireNonNullElse(loading, texts);
    }

    /** Whether the entry of a key, which is there, is of another record than the one with a text. */
    boolean isOfAnother(final Key key, final String text) {
        final String owner = known().get(key.value());
        return key.isConverted() ? !text.equals(owner) : owner != null;
    }

    void put(final Key key, final String text) {
        if (key.isConverted()) {
            known().put(key.value(), text);
        }
    }

    void remove(final Key key) {
        known().remove(key.value());
    }
}
