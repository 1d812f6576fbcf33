package io.penstock.broker.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value as it was written, with the place where it stands. */
public sealed interface ConfigValue {
    /**
     * Where the value stands, for people.
     *
     * @return for example {@code penstock.yaml:12}.
     */
    String origin();

    /** One text, number or boolean, not yet interpreted. */
    record Scalar(String text, String origin) implements ConfigValue {}

    /** Values in order. */
    record Sequence(List<ConfigValue> elements, String origin) implements ConfigValue {}

    /** Values by key. The map may be changed: flags are laid over a file. */
    record Mapping(Map<String, ConfigValue> entries, String origin) implements ConfigValue {
        /** Nothing yet. */
        public static Mapping empty(final String origin) {
            return new Mapping(new LinkedHashMap<>(), origin);
        }

        /** Puts a value at a path of keys, in place of what is there. */
        public void put(final String path, final ConfigValue value) {
            final int dot = path.indexOf('.');
            if (dot < 0) {
                entries.put(path, value);
                return;
            }
            final String key = path.substring(0, dot);
            if (!(entries.get(key) instanceof Mapping)) {
                entries.put(key, empty(value.origin()));
            }
            ((Mapping) entries.get(key)).put(path.substring(dot + 1), value);
        }
    }
}
