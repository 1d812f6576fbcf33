package io.penstock.broker;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription shows of records, and of the difference between two of them.
 *
 * @param paths     of the selected fields; empty for all.
 * @param key       names of fields that are always shown.
 * @param noEmpties whether nulls, empty texts, arrays and objects are left out.
 */
record ModelSelection(List<String> paths, List<String> key, boolean noEmpties) {
    /** What is shown of a record. */
    Map<String, @Nullable Object> of(final Map<String, @Nullable Object> fields) {
        return paths.isEmpty() ? fields : selected(fields, noEmpties);
    }

    /** What differs between two records, and is shown; null for nothing. The key comes with it. */
    @Nullable
    Map<String, @Nullable Object> changed(
            final Map<String, @Nullable Object> old, final Map<String, @Nullable Object> now) {
        final Set<String> all = new HashSet<>(now.keySet());
        all.addAll(old.keySet());
        final Map<String, @Nullable Object> changed = difference(old, now, paths.isEmpty() ? all : inside("", paths));
        if (changed.isEmpty()) {
            return null;
        }
        key.forEach(field -> changed.put(field, now.get(field)));
        return changed;
    }

    /**
     * What of a picture and a record has to be the same: who gets no empties keeps what has become empty.
     *
     * @param picture changed.
     * @param record  changed.
     */
    static void forgetEmpties(final Map<String, @Nullable Object> picture, final Map<String, @Nullable Object> record) {
        record.values().removeIf(ModelSelection::isEmpty);
        record.replaceAll((name, value) -> {
            if (!(value instanceof Map<?, ?>)) {
                return value;
            }
            final Map<String, @Nullable Object> inner = copy(value);
            if (picture.get(name) instanceof Map<?, ?> shown) {
                final Map<String, @Nullable Object> shownInner = copy(shown);
                forgetEmpties(shownInner, inner);
                picture.put(name, shownInner);
            } else {
                forgetEmpties(new LinkedHashMap<>(), inner);
            }
            return inner;
        });
        // An object of nothing but empties is one.
        record.values().removeIf(ModelSelection::isEmpty);
        picture.keySet().retainAll(record.keySet());
    }

    /** Drops objects in which there is nothing. */
    static void forgetEmptyObjects(final Map<?, ?> fields) {
        fields.values().forEach(value -> {
            if (value instanceof Map<?, ?> inner) {
                forgetEmptyObjects(inner);
            }
        });
        fields.values().removeIf(value -> value instanceof Map<?, ?> inner && inner.isEmpty());
    }

    private Map<String, @Nullable Object> selected(
            final Map<String, @Nullable Object> fields, final boolean withoutEmpties) {
        final Map<String, @Nullable Object> kept = new LinkedHashMap<>();
        for (final String path : paths) {
            put(kept, fields, ModelJson.names(path), withoutEmpties);
        }
        key.forEach(field -> kept.put(field, fields.get(field)));
        return kept;
    }

    private static void put(
            final Map<String, @Nullable Object> to,
            final Map<String, @Nullable Object> from,
            final List<String> names,
            final boolean withoutEmpties) {
        final String name = names.get(0);
        if (!from.containsKey(name)) {
            return;
        }
        final Object value = withoutEmpties ? pruned(from.get(name)) : from.get(name);
        if (names.size() == 1) {
            if (!withoutEmpties || !isEmpty(value)) {
                to.put(name, value);
            }
        } else if (value instanceof Map<?, ?>) {
            final Map<String, @Nullable Object> inner = copy(to.getOrDefault(name, Map.of()));
            put(inner, copy(value), names.subList(1, names.size()), withoutEmpties);
            if (!inner.isEmpty()) {
                to.put(name, inner);
            }
        }
    }

    /** The fields that differ, of those whose paths begin with some names. */
    private Map<String, @Nullable Object> difference(
            final Map<String, @Nullable Object> old,
            final Map<String, @Nullable Object> now,
            final Collection<String> wanted) {
        final Map<String, @Nullable Object> changed = new LinkedHashMap<>();
        final Set<String> names = new HashSet<>();
        wanted.forEach(path -> names.add(path.contains("/") ? path.substring(0, path.indexOf('/')) : path));
        for (final String name : names) {
            final boolean whole = wanted.contains(name);
            final List<String> within = inside(name + "/", wanted);
            final Object before = old.get(name);
            final Object after = now.get(name);
            if (now.containsKey(name) && old.containsKey(name) && Objects.equals(before, after)) {
                continue;
            }
            if (before instanceof Map<?, ?> && after instanceof Map<?, ?>) {
                final Set<String> all = new HashSet<>(copy(before).keySet());
                all.addAll(copy(after).keySet());
                final Map<String, @Nullable Object> inner = difference(copy(before), copy(after), whole ? all : within);
                if (!inner.isEmpty()) {
                    changed.put(name, inner);
                }
            } else if (now.containsKey(name) && (whole || after instanceof Map<?, ?>)) {
                final Object shown = whole ? after : only(copy(after), within);
                final Object written = noEmpties ? pruned(shown) : shown;
                if (whole ? !noEmpties || !isEmpty(written) : !isEmpty(written)) {
                    changed.put(name, written);
                }
            } else if (!noEmpties && before != null && (whole || !isEmpty(only(copy(before), within)))) {
                changed.put(name, null);
            }
        }
        return changed;
    }

    private static Map<String, @Nullable Object> only(
            final Map<String, @Nullable Object> fields, final Collection<String> wanted) {
        final Map<String, @Nullable Object> kept = new LinkedHashMap<>();
        wanted.forEach(path -> put(kept, fields, List.of(path.split("/", -1)), false));
        return kept;
    }

    private static List<String> inside(final String prefix, final Collection<String> paths) {
        return paths.stream()
                .map(path -> path.startsWith("/") ? path.substring(1) : path)
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()))
                .toList();
    }

    private static @Nullable Object pruned(final @Nullable Object value) {
        if (!(value instanceof Map<?, ?>)) {
            return value;
        }
        final Map<String, @Nullable Object> kept = copy(value);
        kept.replaceAll((name, each) -> pruned(each));
        kept.values().removeIf(ModelSelection::isEmpty);
        return kept;
    }

    private static boolean isEmpty(final @Nullable Object value) {
        return value == null
                || value.equals("")
                || (value instanceof List<?> list && list.isEmpty())
                || (value instanceof Map<?, ?> map && map.isEmpty());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> copy(final @Nullable Object value) {
        return value instanceof Map<?, ?> map
                ? new LinkedHashMap<>((Map<String, @Nullable Object>) map)
                : new LinkedHashMap<>();
    }
}
