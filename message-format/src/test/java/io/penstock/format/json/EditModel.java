package io.penstock.format.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSelection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Edits of trees, the simple way. An object is a map in which the first of several members of a name stays, a string its
 * characters after a quote, anything else its text.
 */
final class EditModel {
    static final String NOTHING = "nothing";

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final String NULL = "null";

    private final FieldSelection kept;
    private final @Nullable FieldSelection selected;
    private final boolean noEmpties;
    private boolean isChanged;

    EditModel(final FieldSelection kept, final @Nullable FieldSelection selected, final boolean noEmpties) {
        this.kept = kept;
        this.selected = selected;
        this.noEmpties = noEmpties;
    }

    static Object tree(final String message) {
        try (JsonParser parser = FACTORY.createParser(message)) {
            parser.nextToken();
            return tree(parser, message);
        } catch (final IOException e) {
            throw new AssertionError(message, e);
        }
    }

    private static Object tree(final JsonParser parser, final String message) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            final Map<String, Object> members = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                final String name = parser.currentName();
                parser.nextToken();
                final Object value = tree(parser, message);
                members.putIfAbsent(name, value);
            }
            return members;
        }
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return '"' + JacksonOracle.whole(parser.getText());
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            final int start = (int) parser.currentTokenLocation().getCharOffset();
            parser.skipChildren();
            return message.substring(start, (int) parser.currentLocation().getCharOffset());
        }
        return parser.getText();
    }

    static Object merge(final Object message, final Object delta) {
        if (!(message instanceof Map<?, ?> members) || !(delta instanceof Map<?, ?> changes)) {
            return delta;
        }
        final Map<Object, Object> merged = new LinkedHashMap<>(members);
        changes.forEach(
                (name, value) -> merged.put(name, members.containsKey(name) ? merge(members.get(name), value) : value));
        return merged;
    }

    /** What there is now, with nulls for what was and is no more. */
    static Object withNulls(final Object old, final Object now) {
        if (!(old instanceof Map<?, ?> members) || !(now instanceof Map<?, ?> present)) {
            return now;
        }
        final Map<Object, Object> result = new LinkedHashMap<>(present);
        result.replaceAll((name, value) -> members.containsKey(name) ? withNulls(members.get(name), value) : value);
        members.keySet().forEach(name -> result.putIfAbsent(name, NULL));
        return result;
    }

    Object diff(final Object old, final Object now) {
        isChanged = false;
        if (old.equals(now)) {
            return NOTHING;
        }
        final List<String> root = List.of();
        if (old instanceof Map && now instanceof Map) {
            final Object changes = members((Map<?, ?>) old, (Map<?, ?>) now, root);
            return isChanged ? changes : NOTHING;
        }
        final Object copy = copy(now, root);
        if (selected == null) {
            return now instanceof Map && copy.equals(NOTHING) ? Map.of() : now instanceof Map ? copy : now;
        }
        return now instanceof Map ? copy : NOTHING;
    }

    Object select(final Object message) {
        final Object copy = message instanceof Map ? copy(message, List.of()) : NOTHING;
        return copy.equals(NOTHING) ? Map.of() : copy;
    }

    private Object members(final Map<?, ?> old, final Map<?, ?> now, final List<String> path) {
        final Map<Object, Object> changes = new LinkedHashMap<>();
        now.forEach((name, value) -> {
            final Object change = member(old.get(name), value, path(path, name));
            if (!change.equals(NOTHING)) {
                changes.put(name, change);
            }
        });
        old.forEach((name, value) -> {
            if (!now.containsKey(name) && isGone(value, path(path, name))) {
                changes.put(name, NULL);
            }
        });
        return changes.isEmpty() ? NOTHING : changes;
    }

    private Object member(final @Nullable Object old, final Object now, final List<String> path) {
        if (!isLookedAt(path)) {
            return NOTHING;
        }
        if (isKept(path)) {
            final Object whole = old == null ? now : keptWhole(old, now);
            isChanged |= old == null || !whole.equals(now) || !isPresent(now, old);
            return whole;
        }
        if (now.equals(old)) {
            return new EditModel(kept, FieldSelection.NONE, noEmpties).copy(now, path);
        }
        if (old instanceof Map && now instanceof Map) {
            return members((Map<?, ?>) old, (Map<?, ?>) now, path);
        }
        final Object copy = copy(now, path);
        if (copy.equals(NOTHING) && !isSelected(path) && old != null && !(now instanceof Map) && isGone(old, path)) {
            return NULL;
        }
        isChanged |= !copy.equals(NOTHING);
        return copy;
    }

    /** What there is now, with nulls for what was, and was not null, and is no more. */
    private static Object keptWhole(final Object old, final Object now) {
        if (!(old instanceof Map<?, ?> members) || !(now instanceof Map<?, ?> present)) {
            return now;
        }
        final Map<Object, Object> result = new LinkedHashMap<>(present);
        result.replaceAll((name, value) -> members.containsKey(name) ? keptWhole(members.get(name), value) : value);
        members.forEach((name, value) -> {
            if (!value.equals(NULL)) {
                result.putIfAbsent(name, NULL);
            }
        });
        return result;
    }

    /** Whether all there is now was there. */
    private static boolean isPresent(final Object now, final @Nullable Object old) {
        if (old instanceof Map<?, ?> members && now instanceof Map<?, ?> present) {
            return present.entrySet().stream()
                    .allMatch(member -> members.containsKey(member.getKey())
                            && isPresent(member.getValue(), members.get(member.getKey())));
        }
        return now.equals(old);
    }

    private boolean isGone(final Object old, final List<String> path) {
        final boolean isGone;
        if (isKept(path) || (isSelected(path) && !noEmpties)) {
            isGone = !old.equals(NULL);
        } else {
            isGone = !noEmpties && isLookedAt(path) && !copy(old, path).equals(NOTHING) && old instanceof Map;
        }
        isChanged |= isGone;
        return isGone;
    }

    private Object copy(final Object value, final List<String> path) {
        if (isKept(path) || (isSelected(path) && !noEmpties)) {
            return value;
        }
        if (value instanceof Map<?, ?> members) {
            final Map<Object, Object> copy = new LinkedHashMap<>();
            members.forEach((name, member) -> {
                final Object part = copy(member, path(path, name));
                if (!part.equals(NOTHING)) {
                    copy.put(name, part);
                }
            });
            return copy.isEmpty() ? NOTHING : copy;
        }
        final boolean isEmpty = value.equals(NULL)
                || value.equals("\"")
                || ((String) value).replaceAll("\\s", "").equals("[]");
        return isSelected(path) && !isEmpty ? value : NOTHING;
    }

    private static List<String> path(final List<String> object, final Object name) {
        final List<String> path = new ArrayList<>(object);
        path.add((String) name);
        return path;
    }

    private boolean isKept(final List<String> path) {
        return includes(kept, path);
    }

    private boolean isSelected(final List<String> path) {
        return selected == null || includes(selected, path);
    }

    private boolean isLookedAt(final List<String> path) {
        return isKept(path) || isSelected(path) || leadsOn(kept, path) || (selected != null && leadsOn(selected, path));
    }

    private static boolean includes(final FieldSelection fields, final List<String> path) {
        return fields.paths().stream()
                .map(EditModel::names)
                .anyMatch(names -> names.size() <= path.size()
                        && path.subList(0, names.size()).equals(names));
    }

    private static boolean leadsOn(final FieldSelection fields, final List<String> path) {
        return fields.paths().stream()
                .map(EditModel::names)
                .anyMatch(names -> path.size() < names.size()
                        && names.subList(0, path.size()).equals(path));
    }

    /** Up to the first array. */
    private static List<String> names(final FieldPath path) {
        final List<String> names = new ArrayList<>();
        for (final FieldPath.Step step : path.steps()) {
            names.add(step.name());
            if (step.index() != FieldPath.Step.NO_INDEX) {
                break;
            }
        }
        return names;
    }
}
