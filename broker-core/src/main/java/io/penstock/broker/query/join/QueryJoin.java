package io.penstock.broker.query.join;

import io.penstock.broker.filter.JoinCondition;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.topic.JoinRule;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.List;

/**
 * That a query is about pairs of records of two topics, as a view of two topics is: the text that says so, read. Immutable.
 *
 * @param rule names, and whether a left record without a pair has a row.
 * @param on   which fields are equal in a pair.
 */
public record QueryJoin(JoinRule rule, JoinCondition on) {
    private static final String SUBJECT = "join: ";
    private static final String FORM =
            "write JOIN TOPIC ON /LEFT/FIELD = /RIGHT/FIELD; LEFT before JOIN, AS NAME behind a topic,"
                    + " or AS NAME before all for the left one";

    /**
     * Reads what follows the left topic's name in a FROM clause: {@code LEFT JOIN customers AS c ON /orders/customer = /c/id}.
     *
     * @param text   of it, keywords in any case, names with white space or quotes in double quotes.
     * @param left   name of the left topic.
     * @param limits of the condition.
     * @return what it says.
     * @throws FilterException when the condition is wrong or exceeds a limit.
     * @throws IllegalArgumentException when the rest is wrong.
     */
    public static QueryJoin parse(final String text, final String left, final FilterLimits limits) {
        final JoinWords words = new JoinWords(text);
        final String leftName = words.accept("AS") ? name(words, text) : left;
        final boolean isOuter = words.accept("LEFT");
        if (isOuter) {
            words.accept("OUTER");
        } else {
            words.accept("INNER");
        }
        if (!words.accept("JOIN")) {
            throw wrong("no JOIN", text);
        }
        final String right = name(words, text);
        final String rightName = words.accept("AS") ? name(words, text) : right;
        if (!words.accept("ON")) {
            throw wrong("no ON", text);
        }
        if (leftName.equals(rightName)) {
            throw new IllegalArgumentException(SUBJECT + "both topics have the same name: " + leftName
                    + " (give one of them another one, with AS)");
        }
        final String on = words.rest();
        return new QueryJoin(
                new JoinRule(right, leftName, rightName, isOuter, on),
                JoinCondition.parse(on, leftName, rightName, limits));
    }

    private static String name(final JoinWords words, final String text) {
        final String name = words.name();
        if (name.isEmpty()) {
            throw wrong("a name is missing", text);
        }
        return name;
    }

    private static IllegalArgumentException wrong(final String what, final String text) {
        return new IllegalArgumentException(SUBJECT + what + ": " + text + " (" + FORM + ")");
    }

    /**
     * The fields of one topic's records that an answer depends on, those that pairs are made by included.
     *
     * @param asked   fields of pairs.
     * @param isRight whether the right topic is meant.
     * @return paths in records of that topic.
     */
    public FieldSet fieldsOf(final FieldSet asked, final boolean isRight) {
        final String name = isRight ? rule.rightName() : rule.leftName();
        final FieldSet fields = new FieldSet();
        paths(isRight).forEach(fields::slotOf);
        for (int slot = 0; slot < asked.count(); slot++) {
            if (JoinCondition.beginsWith(asked.path(slot), name)) {
                fields.slotOf(JoinCondition.within(asked.path(slot)));
            }
        }
        return fields;
    }

    /**
     * Refuses fields that are in neither topic.
     *
     * @param asked fields of pairs.
     * @throws IllegalArgumentException with the first such field.
     */
    public void check(final FieldSet asked) {
        for (int slot = 0; slot < asked.count(); slot++) {
            final FieldPath path = asked.path(slot);
            if (!JoinCondition.beginsWith(path, rule.leftName()) && !JoinCondition.beginsWith(path, rule.rightName())) {
                throw new IllegalArgumentException(SUBJECT + path + " is a field of neither topic (write /"
                        + rule.leftName() + "/FIELD or /" + rule.rightName() + "/FIELD)");
            }
        }
    }

    /** By which fields records of a topic are paired. */
    List<FieldPath> paths(final boolean isRight) {
        return isRight ? on.right() : on.left();
    }

    /**
     * The join in one form, for people.
     *
     * @return text that {@link #parse} reads, if names need no quotes.
     */
    public String text() {
        return "AS " + rule.leftName() + (rule.isOuter() ? " LEFT" : " INNER") + " JOIN " + rule.right() + " AS "
                + rule.rightName() + " ON " + rule.on();
    }
}
