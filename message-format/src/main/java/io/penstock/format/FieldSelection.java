package io.penstock.format;

import io.penstock.format.FieldPath.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A set of fields by their paths, of which the order is of no account: {@code id, /order/price}. A path to an object keeps
 * all of it, so that paths further in add nothing; a path into an array keeps the whole array. Headers may be among them:
 * they are no part of the message, and so not of its {@link #root()}. Immutable and safe on any thread.
 */
public final class FieldSelection {
    /** The most paths a selection may have. */
    public static final int PATH_COUNT_MAX = 256;

    /** No fields. */
    public static final FieldSelection NONE = of(Stream.of());

    private final List<FieldPath> paths;
    private final String text;
    private final FieldNode root;

    private FieldSelection(final List<FieldPath> paths, final String text) {
        this.paths = paths;
        this.text = text;
        final FieldSet fields = new FieldSet();
        paths.stream().filter(path -> !path.isHeader()).forEach(path -> fields.slotOf(arrayOf(path)));
        root = FieldNode.rootOf(fields);
    }

    /**
     * Reads a list of paths.
     *
     * @param text with the paths as filters write them, commas between them.
     * @return the selection.
     * @throws IllegalArgumentException when the text is no such list, saying where.
     */
    public static FieldSelection parse(final String text) {
        return parse("select", text);
    }

    /**
     * The same, for a list that has another name.
     *
     * @param subject of the list, with which the message of a mistake begins.
     * @param text    with the paths.
     * @return the selection.
     * @throws IllegalArgumentException when the text is no such list, saying where.
     */
    public static FieldSelection parse(final String subject, final String text) {
        final FieldPathParser parser = new FieldPathParser(subject, text);
        final List<FieldPath> paths = new ArrayList<>();
        do {
            if (paths.size() == PATH_COUNT_MAX) {
                throw parser.expected("no more than " + PATH_COUNT_MAX + " fields");
            }
            paths.add(parser.path());
        } while (parser.accept(','));
        if (!parser.isAtEnd()) {
            throw parser.expected("a comma or the end");
        }
        return of(paths.stream());
    }

    /**
     * Puts paths together.
     *
     * @param paths of the fields, none or more.
     * @return the selection.
     */
    public static FieldSelection of(final List<FieldPath> paths) {
        return of(paths.stream());
    }

    private static FieldSelection of(final Stream<FieldPath> given) {
        final TreeMap<String, FieldPath> byText = new TreeMap<>();
        given.forEach(path -> byText.put(FieldPathParser.textOf(path), path));
        final List<FieldPath> all = List.copyOf(byText.values());
        byText.values().removeIf(path -> all.stream().anyMatch(other -> isWithin(path, other)));
        return new FieldSelection(
                List.copyOf(byText.values()), byText.keySet().stream().collect(Collectors.joining(", ")));
    }

    /** Whether a path goes on where another ends. */
    private static boolean isWithin(final FieldPath path, final FieldPath other) {
        final int last = other.steps().size() - 1;
        if (path.equals(other)
                || path.isHeader()
                || other.isHeader()
                || path.steps().size() <= last) {
            return false;
        }
        final Step step = path.steps().get(last);
        final Step end = other.steps().get(last);
        return path.steps().subList(0, last).equals(other.steps().subList(0, last))
                && step.name().equals(end.name())
                && (step.index() == end.index() || end.index() == Step.NO_INDEX);
    }

    /** The path cut off at the first array that it goes into. */
    private static FieldPath arrayOf(final FieldPath path) {
        final List<Step> steps = new ArrayList<>();
        for (final Step step : path.steps()) {
            steps.add(new Step(step.name(), Step.NO_INDEX));
            if (step.index() != Step.NO_INDEX) {
                break;
            }
        }
        return new FieldPath(steps);
    }

    /**
     * Whether a field is one of these, or has one of them within it, or is within one. Indexes do not count: an element stands
     * for its array. Headers are no fields of the message, and are none of these.
     *
     * @param field its path.
     * @return true when who knows the field knows something of these.
     */
    public boolean touches(final FieldPath field) {
        for (final FieldPath path : paths) {
            if ((path.isHeader() || field.isHeader()) ? path.equals(field) : isOnTheWay(path, field)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The first of some fields that {@link #touches touches} these.
     *
     * @param fields that are asked for.
     * @return its path, or null when none does.
     */
    public @Nullable FieldPath firstTouched(final FieldSet fields) {
        for (int slot = 0; slot < fields.count(); slot++) {
            if (touches(fields.path(slot))) {
                return fields.path(slot);
            }
        }
        return null;
    }

    private static boolean isOnTheWay(final FieldPath path, final FieldPath other) {
        final int count = Math.min(path.steps().size(), other.steps().size());
        for (int i = 0; i < count; i++) {
            if (!path.steps().get(i).name().equals(other.steps().get(i).name())) {
                return false;
            }
        }
        return true;
    }

    /**
     * The fields of this selection that another one has, too: of two of which one is within the other the inner one.
     *
     * @param other selection.
     * @return one with the fields that both have.
     */
    public FieldSelection intersection(final FieldSelection other) {
        return of(Stream.concat(
                paths.stream().filter(path -> other.contains(path)),
                other.paths.stream().filter(path -> contains(path))));
    }

    private boolean contains(final FieldPath field) {
        return paths.stream().anyMatch(path -> path.equals(field) || isWithin(field, path));
    }

    /**
     * Adds the fields of another selection.
     *
     * @param other selection.
     * @return one with the fields of both.
     */
    public FieldSelection union(final FieldSelection other) {
        return of(Stream.concat(paths.stream(), other.paths.stream()));
    }

    /**
     * The selection in its canonical form, which two selections of the same fields share.
     *
     * @return text that {@link #parse} reads, or an empty one for no fields.
     */
    public String text() {
        return text;
    }

    /**
     * The paths.
     *
     * @return paths, in the order of the text, without those that another one includes.
     */
    public List<FieldPath> paths() {
        return paths;
    }

    /**
     * Returns whether headers are among the paths.
     *
     * @return true when one of them is.
     */
    public boolean hasHeaders() {
        return paths.stream().anyMatch(FieldPath::isHeader);
    }

    /**
     * The tree of the paths, in which a node with a slot stands for all that is in it, an array as a whole.
     *
     * @return the node of the whole message, which is not to be changed.
     */
    public FieldNode root() {
        return root;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof FieldSelection selection && text.equals(selection.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns the text. */
    @Override
    public String toString() {
        return text;
    }
}
