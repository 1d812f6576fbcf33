package io.penstock.broker.filter;

import io.penstock.broker.filter.syntax.AggregateCall;
import io.penstock.broker.filter.syntax.AggregateFunction;
import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.syntax.RowTree;
import io.penstock.broker.filter.syntax.SelectParser;
import io.penstock.broker.filter.syntax.SelectParser.Item;
import io.penstock.broker.filter.syntax.SourceText;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A select list with its group by, read and checked, from which its expressions are compiled: those of the group by and
 * the arguments of the aggregates over messages, and the items over messages or, when the list is one of aggregates, over
 * the rows of groups. Immutable, safe on any thread.
 */
public final class SelectSyntax {
    private static final String SELECT = "select";
    private static final String GROUP_BY = "group by";

    private final List<Item> items;
    private final List<Node> groups;
    private final List<Node> values;
    private final List<Argument> arguments;
    private final List<AggregateCall> aggregates;
    private final boolean isAggregate;
    private final int resultLengthMax;

    private SelectSyntax(
            final SourceText source, final List<Item> items, final List<Node> groups, final int lengthMax) {
        this.items = List.copyOf(items);
        this.groups = List.copyOf(groups);
        this.resultLengthMax = lengthMax;
        final RowTree rows = new RowTree(groups);
        final List<Node> rowValues = new ArrayList<>();
        Item strayItem = null;
        for (final Item item : items) {
            rowValues.add(rows.of(item.value()));
            strayItem = strayItem == null && rows.stray() != null ? item : strayItem;
        }
        this.isAggregate = !groups.isEmpty() || !rows.aggregates().isEmpty();
        if (isAggregate && strayItem != null && rows.stray() != null) {
            final String name = CanonicalText.of(rows.stray());
            throw source.refused(
                    name + " is neither in the group by nor in an aggregate", strayItem.start(), strayItem.end());
        }
        this.values = isAggregate
                ? List.copyOf(rowValues)
                : items.stream().map(Item::value).toList();
        final List<Argument> distinct = new ArrayList<>();
        this.aggregates =
                rows.aggregates().stream().map(each -> call(each, distinct)).toList();
        this.arguments = List.copyOf(distinct);
    }

    private static AggregateCall call(final Node.Aggregate aggregate, final List<Argument> arguments) {
        final Node value = aggregate.argument();
        if (value == null) {
            return new AggregateCall(aggregate.function(), AggregateCall.NO_ARGUMENT);
        }
        final Argument argument = new Argument(value, aggregate.function() != AggregateFunction.COUNT_DISTINCT);
        if (!arguments.contains(argument)) {
            arguments.add(argument);
        }
        return new AggregateCall(aggregate.function(), arguments.indexOf(argument));
    }

    /**
     * Reads the texts.
     *
     * @param select  items between commas, each a value with or without {@code AS} and a name; blank for none.
     * @param groupBy values between commas, blank for none.
     * @param limits  of each text.
     * @return what they say.
     * @throws FilterException when a text is wrong or exceeds a limit, when two items have one name, or when an item of
     *     aggregates has a field that is not in the group by.
     */
    public static SelectSyntax parse(final String select, final String groupBy, final FilterLimits limits) {
        final SourceText source = SourceText.of(SELECT, select, limits);
        final SourceText groupSource = SourceText.of(GROUP_BY, groupBy, limits);
        final List<Node> groups = groupBy.isBlank()
                ? List.of()
                : new SelectParser(groupSource, limits, false)
                        .parse().stream().map(Item::value).distinct().toList();
        if (select.isBlank() && !groups.isEmpty()) {
            throw source.expected("an item, for there is a group by,", 0, 0);
        }
        final List<Item> items = select.isBlank() ? List.of() : new SelectParser(source, limits, true).parse();
        requireOneEach(source, items);
        return new SelectSyntax(source, items, groups, limits.resultLengthMax());
    }

    private static void requireOneEach(final SourceText source, final List<Item> items) {
        final Set<String> names = new HashSet<>();
        for (final Item item : items) {
            if (!names.add(item.name())) {
                throw source.refused("another item has this name (use AS)", item.start(), item.end());
            }
        }
    }

    /**
     * The names of the members that the items write.
     *
     * @return a name for each item: the one after AS, else a plain field's own, else the item's canonical text.
     */
    public List<String> names() {
        return items.stream().map(Item::name).toList();
    }

    /**
     * Returns whether the items are of groups of messages, not of single ones.
     *
     * @return whether there is a group by or an aggregate.
     */
    public boolean isAggregate() {
        return isAggregate;
    }

    /**
     * The number of values that messages are grouped by, without repetitions.
     *
     * @return the count.
     */
    public int groupCount() {
        return groups.size();
    }

    /**
     * The name of the item that is a value of the group by.
     *
     * @param index of the value.
     * @return the name of the first such item, or null when no item is that value and nothing else.
     */
    public @Nullable String groupName(final int index) {
        return nameOf(groups.get(index));
    }

    /**
     * A value of the group by as text.
     *
     * @param index of the value.
     * @return its canonical form.
     */
    public String groupText(final int index) {
        return CanonicalText.of(groups.get(index));
    }

    /**
     * The name of the item that is a field.
     *
     * @param path of the field.
     * @return the name of the first such item, or null when no item is that field and nothing else.
     */
    public @Nullable String fieldName(final FieldPath path) {
        return nameOf(new Node.Field(path));
    }

    private @Nullable String nameOf(final Node value) {
        for (final Item item : items) {
            if (item.value().equals(value)) {
                return item.name();
            }
        }
        return null;
    }

    /**
     * The aggregates in the items, each once.
     *
     * @return calls, in the order of their columns in a row, which follow those of the group by.
     */
    public List<AggregateCall> aggregates() {
        return aggregates;
    }

    /**
     * The number of arguments of aggregates, each counted once.
     *
     * @return the count.
     */
    public int argumentCount() {
        return arguments.size();
    }

    /**
     * The items and the group by in canonical form.
     *
     * @return the text.
     */
    public String text() {
        final String select = items.stream().map(Item::text).collect(Collectors.joining(", "));
        return groups.isEmpty()
                ? select
                : select + " GROUP BY " + groups.stream().map(CanonicalText::of).collect(Collectors.joining(", "));
    }

    /**
     * Compiles a value of the group by.
     *
     * @param index  of the value.
     * @param fields of messages, to which those it reads are added.
     * @return the expression, owned by the caller's agent.
     */
    public Expression newGroup(final int index, final FieldSet fields) {
        return compile(groups.get(index), fields, false);
    }

    /**
     * Compiles an argument of aggregates. Untyped text that reads as a number is one, except where different values are
     * counted: they are told apart as in a group by.
     *
     * @param index  of the argument.
     * @param fields of messages, to which those it reads are added.
     * @return the expression, owned by the caller's agent.
     */
    public Expression newArgument(final int index, final FieldSet fields) {
        final Argument argument = arguments.get(index);
        return compile(argument.value(), fields, argument.readsNumbers());
    }

    /**
     * Compiles an item.
     *
     * @param index  of the item.
     * @param fields of messages, to which those it reads are added; of a list of aggregates the {@link #rowFields()}.
     * @return the expression, owned by the caller's agent.
     */
    public Expression newItem(final int index, final FieldSet fields) {
        return compile(values.get(index), fields, false);
    }

    /**
     * A value of the group by, when it is a field.
     *
     * @param index of the value.
     * @return the field's path; null when it is computed.
     */
    public @Nullable FieldPath groupField(final int index) {
        return groups.get(index) instanceof Node.Field field ? field.path() : null;
    }

    /**
     * An argument of aggregates, when it is a field.
     *
     * @param index of the argument.
     * @return the field's path; null when it is computed.
     */
    public @Nullable FieldPath argumentField(final int index) {
        return arguments.get(index).value() instanceof Node.Field field ? field.path() : null;
    }

    /**
     * The fields of a group's row: the values of the group by, and then the aggregates.
     *
     * @return a new set, with the slots in this order.
     */
    public FieldSet rowFields() {
        final FieldSet fields = new FieldSet();
        for (int i = 0; i < groups.size() + aggregates.size(); i++) {
            fields.slotOf(RowTree.path(i));
        }
        return fields;
    }

    private Expression compile(final Node value, final FieldSet fields, final boolean readsNumbers) {
        return new CompiledExpression(value, fields, ExpressionCompiler.NO_CLOCK, resultLengthMax, readsNumbers);
    }

    /**
     * What aggregates are of.
     *
     * @param value        of a message.
     * @param readsNumbers whether untyped text that reads as a number is one.
     */
    private record Argument(Node value, boolean readsNumbers) {}
}
