package io.penstock.broker.query;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldPathParser;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of records: {@code price DESC, symbol NULLS FIRST, /order/qty ASC}. Each field orders those records that
 * are equal in the fields before. Immutable and safe on any thread.
 *
 * <p>{@code false < true < numbers < texts}, numbers by value and texts by code point. An array counts as its first
 * element; what is absent, null, an object or an empty array is null. As in PostgreSQL nulls are larger than
 * everything, last in ascending order and first in descending, unless {@code NULLS FIRST} or {@code NULLS LAST} says
 * otherwise.
 */
public final class OrderBy {
    /** The most fields there may be. */
    public static final int FIELD_COUNT_MAX = 16;

    /** Bytes that the values may take by which one record is sorted. */
    public static final int KEY_LENGTH_MAX = 64 * 1024;

    /**
     * A field and its order.
     *
     * @param path        of the field.
     * @param isDescending whether larger values come first.
     * @param isNullFirst  whether nulls come before all values.
     */
    record Term(FieldPath path, boolean isDescending, boolean isNullFirst) {}

    private final List<Term> terms;
    private final String text;

    private OrderBy(final List<Term> terms) {
        this.terms = List.copyOf(terms);
        text = textOf(terms);
    }

    /**
     * Reads an order.
     *
     * @param text of the order, fields as filters write them and keywords in any case.
     * @return the order.
     * @throws IllegalArgumentException when the text is none, saying where:
     *     {@code order_by: expected a field's name at 7: …}.
     */
    public static OrderBy parse(final String text) {
        final FieldPathParser parser = new FieldPathParser("order_by", text);
        final List<Term> terms = new ArrayList<>();
        do {
            if (terms.size() == FIELD_COUNT_MAX) {
                throw parser.expected("no more than " + FIELD_COUNT_MAX + " fields");
            }
            terms.add(term(parser));
        } while (parser.accept(','));
        if (!parser.isAtEnd()) {
            throw parser.expected("ASC, DESC, NULLS, a comma or the end");
        }
        return new OrderBy(terms);
    }

    private static Term term(final FieldPathParser parser) {
        final FieldPath path = parser.path();
        final boolean isDescending = parser.acceptWord("DESC");
        if (!isDescending) {
            parser.acceptWord("ASC");
        }
        if (!parser.acceptWord("NULLS")) {
            return new Term(path, isDescending, isDescending);
        }
        if (parser.acceptWord("FIRST")) {
            return new Term(path, isDescending, true);
        }
        if (parser.acceptWord("LAST")) {
            return new Term(path, isDescending, false);
        }
        throw parser.expected("FIRST or LAST");
    }

    private static String textOf(final List<Term> terms) {
        final StringBuilder text = new StringBuilder();
        for (final Term term : terms) {
            text.append(text.isEmpty() ? "" : ", ").append(FieldPathParser.textOf(term.path()));
            text.append(term.isDescending() ? " DESC" : "");
            if (term.isNullFirst() != term.isDescending()) {
                text.append(term.isNullFirst() ? " NULLS FIRST" : " NULLS LAST");
            }
        }
        return text.toString();
    }

    /**
     * The order in its canonical form, which says only what does not go without saying.
     *
     * @return text that {@link #parse} reads.
     */
    public String text() {
        return text;
    }

    /**
     * The fields that messages are ordered by, for a reader of messages whose keys are to be written.
     *
     * @return a new set of them.
     */
    public FieldSet fields() {
        final FieldSet fields = new FieldSet();
        terms.forEach(term -> fields.slotOf(term.path()));
        return fields;
    }

    /** The fields, in the order in which they count. */
    List<Term> terms() {
        return terms;
    }

    /**
     * Makes a writer of keys.
     *
     * @return a writer owned by the caller's agent, for readers of {@link #fields}.
     */
    public SortKeyWriter newWriter() {
        return newWriter(new FieldSet());
    }

    /** Makes a writer of keys for readers of a set, to which its fields are added. */
    SortKeyWriter newWriter(final FieldSet fields) {
        return new SortKeyWriter(terms, fields);
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof OrderBy order && text.equals(order.text);
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
