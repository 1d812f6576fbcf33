package io.penstock.standalone.config;

import io.penstock.broker.config.ConfigException;
import io.penstock.broker.config.ConfigValue;
import io.penstock.broker.config.ConfigValue.Mapping;
import io.penstock.broker.config.ConfigValue.Sequence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The value that a mistake is about, to be left out. */
final class MistakenValue {
    private final List<String> path;
    private final String origin;

    MistakenValue(final ConfigException mistake) {
        path = List.of(mistake.key().split("\\.", -1));
        origin = mistake.origin();
    }

    /** Removes it, or what it is in; false when nothing of the kind is there. */
    boolean dropFrom(final Mapping values) {
        return dropFrom(values, 0)
                || values.entries().remove(path.get(0)) != null
                || values.entries().values().removeIf(value -> value.origin().equals(origin));
    }

    private boolean dropFrom(final Mapping values, final int depth) {
        final String key = path.get(depth);
        final ConfigValue value = values.entries().get(key);
        if (value instanceof Sequence sequence) {
            return dropElement(values, key, sequence, depth + 1);
        }
        if (depth == path.size() - 1) {
            return values.entries().remove(key) != null;
        }
        // What is missing leaves out what it is missing in.
        return value instanceof Mapping below
                && (dropFrom(below, depth + 1) || values.entries().remove(key) != null);
    }

    /** Of a list the elements that the mistake is in; all of it when it is in none. */
    private boolean dropElement(final Mapping values, final String key, final Sequence list, final int depth) {
        final List<ConfigValue> kept = new ArrayList<>(list.elements());
        final boolean isDropped = kept.removeIf(element -> element.origin().equals(origin)
                || (depth < path.size()
                        && element instanceof Mapping mapping
                        && isHere(mapping.entries().get(path.get(depth)))));
        if (isDropped) {
            values.entries().put(key, new Sequence(kept, list.origin()));
            return true;
        }
        return values.entries().remove(key) != null;
    }

    private boolean isHere(final @Nullable ConfigValue value) {
        return value != null && value.origin().equals(origin);
    }
}
