package io.penstock.broker.query;

import io.penstock.broker.filter.SelectSyntax;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a query or a view computes from its messages: items such as {@code symbol, price * qty AS value}, or
 * with aggregates such as {@code origin, COUNT(*), AVG(delay) AS mean} grouped by {@code origin}. Immutable, safe on
 * any thread.
 */
public final class SelectList {
    /** Bytes that the different values of all groups may take, about. */
    static final long VALUES_LENGTH_MAX = 1L << 28;

    private final SelectSyntax syntax;
    private final long valuesLengthMax;

    private SelectList(final SelectSyntax syntax, final long valuesLengthMax) {
        this.syntax = syntax;
        this.valuesLengthMax = valuesLengthMax;
    }

    /**
     * Reads a select list.
     *
     * @param select  items between commas; blank for the message as a whole.
     * @param groupBy values between commas, blank for none.
     * @param limits  of each of the texts.
     * @return the list.
     * @throws FilterException when a text is wrong or exceeds a limit, with the position: {@code select: expected a
     *     value at 7: price, }.
     */
    public static SelectList parse(final String select, final String groupBy, final FilterLimits limits) {
        return new SelectList(SelectSyntax.parse(select, groupBy, limits), VALUES_LENGTH_MAX);
    }

    /** The same list with another bound of the different values of all groups, in bytes. */
    SelectList withValuesLengthMax(final long lengthMax) {
        return new SelectList(syntax, lengthMax);
    }

    /**
     * How much memory the different values may take that are kept for COUNT(DISTINCT) in all groups together.
     *
     * @return bytes, about.
     */
    public long valuesLengthMax() {
        return valuesLengthMax;
    }

    /**
     * Returns whether messages are to be grouped, by an {@link Aggregation}, or written one by one, by a
     * {@link Projection}.
     *
     * @return whether there is an aggregate or a group by.
     */
    public boolean isAggregate() {
        return syntax.isAggregate();
    }

    /**
     * Returns whether a message counts, whatever is in it: there is no group by, and no aggregate but {@code COUNT(*)}.
     *
     * @return whether no field of a message is read.
     */
    boolean countsOnly() {
        return isAggregate() && syntax.groupCount() == 0 && syntax.argumentCount() == 0;
    }

    /**
     * The names of the members of what is written.
     *
     * @return a name for each item, none for the message as a whole: the one after AS, else a plain field's last path
     *     segment, else the canonical text of the item, such as {@code AVG(delay)}.
     */
    public List<String> names() {
        return syntax.names();
    }

    /**
     * The members of what is written that say what it is of: those of the group by, or without any aggregate those of a
     * key of the messages.
     *
     * @param key of the messages, which counts when there are no aggregates.
     * @return a path for each value, none when everything is one group.
     * @throws IllegalArgumentException when there is no item for one of them: {@code market is in the group by and not in
     *     the select list (…)}.
     */
    public List<FieldPath> keyPaths(final FieldSelection key) {
        final List<FieldPath> paths = new ArrayList<>();
        for (int i = 0; i < syntax.groupCount(); i++) {
            paths.add(keyPath(syntax.groupName(i), syntax.groupText(i), "the group by"));
        }
        for (final FieldPath path : isAggregate() ? List.<FieldPath>of() : key.paths()) {
            paths.add(keyPath(syntax.fieldName(path), path.toString(), "the key"));
        }
        return paths;
    }

    private static FieldPath keyPath(final @Nullable String name, final String text, final String where) {
        if (name == null) {
            throw new IllegalArgumentException(text + " is in " + where
                    + " and not in the select list (select it, so that a row says what it is of)");
        }
        return FieldPath.of(name);
    }

    /**
     * The fields of messages that the list reads.
     *
     * @return a new set, to which more may be added.
     */
    public FieldSet fields() {
        final FieldSet fields = new FieldSet();
        for (int i = 0; i < syntax.groupCount(); i++) {
            syntax.newGroup(i, fields);
        }
        for (int i = 0; i < syntax.argumentCount(); i++) {
            syntax.newArgument(i, fields);
        }
        for (int i = 0; i < syntax.names().size() && !isAggregate(); i++) {
            syntax.newItem(i, fields);
        }
        return fields;
    }

    /**
     * The list in canonical form: lists with equal texts give the same.
     *
     * @return the items and, after GROUP BY, what they are grouped by.
     */
    public String text() {
        return syntax.text();
    }

    SelectSyntax syntax() {
        return syntax;
    }

    @Override
    public String toString() {
        return text();
    }
}
