package io.penstock.broker.query;

import io.penstock.broker.filter.SelectSyntax;
import io.penstock.broker.query.collect.CollectedRoom;
import io.penstock.broker.query.collect.GroupShape;
import io.penstock.broker.query.collect.GroupTarget;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands to an aggregation what was added up by columns. Owned by the aggregation's agent. */
final class GroupFeed implements GroupTarget {
    private final Aggregation aggregation;
    private final CollectedRoom room;

    /** @param room for its groups. */
    GroupFeed(final Aggregation aggregation, final CollectedRoom room) {
        this.aggregation = aggregation;
        this.room = room;
    }

    /** The shape of groups whose keys are fields; null when keys are computed. */
    static @Nullable GroupShape shape(final SelectSyntax syntax, final Aggregation aggregation) {
        final List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < syntax.groupCount(); i++) {
            final FieldPath path = syntax.groupField(i);
            if (path == null) {
                return null;
            }
            keys.add(aggregation.fields().slotOf(path));
        }
        final AggregatePlan plan = aggregation.plan();
        final List<GroupShape.Part> parts = new ArrayList<>();
        for (int i = 0; i < plan.partCount(); i++) {
            final FieldPath path = syntax.argumentField(plan.argument(i));
            if (path == null) {
                return new GroupShape(keys, List.of(), true);
            }
            parts.add(new GroupShape.Part(aggregation.fields().slotOf(path), use(plan.kind(i))));
        }
        return new GroupShape(keys, parts, false);
    }

    private static GroupShape.Use use(final AccumulatorKind kind) {
        return switch (kind) {
            case COUNT -> GroupShape.Use.COUNT;
            case SUM -> GroupShape.Use.SUM;
            case EXTREMES -> GroupShape.Use.EXTREMES;
            case DISTINCT -> GroupShape.Use.DISTINCT;
            case VALUES -> throw new IllegalArgumentException("groups: not of a scan");
        };
    }

    @Override
    public int add(final FieldReader row) {
        if (!room.ensure(aggregation.length())) {
            return NO_GROUP;
        }
        final Group group = aggregation.add(row);
        return group == null ? NO_GROUP : group.index();
    }

    @Override
    public void addTo(final int group, final FieldReader row) {
        aggregation.addTo(aggregation.group(group), row);
    }

    @Override
    public void addRows(final int group, final long count) {
        aggregation.grow(aggregation.group(group), count);
    }

    @Override
    public void addCount(final int group, final int part, final long count) {
        ((ValueCount) accumulator(group, part)).add(count);
    }

    @Override
    public void addLongs(final int group, final int part, final long count, final long sum) {
        ((NumberSum) accumulator(group, part)).addLongs(count, sum);
    }

    @Override
    public void addReals(
            final int group,
            final int part,
            final long count,
            final long high,
            final int highExponent,
            final long low,
            final int lowExponent) {
        ((NumberSum) accumulator(group, part)).addReals(count, high, highExponent, low, lowExponent);
    }

    @Override
    public void addReal(final int group, final int part, final double number) {
        ((NumberSum) accumulator(group, part)).addReal(number);
    }

    @Override
    public void addExtremes(final int group, final int part, final double least, final double greatest) {
        final Extremes extremes = (Extremes) accumulator(group, part);
        extremes.add(least);
        extremes.add(greatest);
    }

    @Override
    public boolean isFull() {
        return aggregation.isFull() || !room.ensure(aggregation.length());
    }

    @Override
    public void addDistinct(final int group, final int part, final FieldReader row) {
        aggregation.addTo(aggregation.group(group), part, row);
    }

    @Override
    public void addDistinct(final int group, final int part, final long number) {
        ((DistinctValues) accumulator(group, part)).add(number);
    }

    @Override
    public void addDistinct(final int group, final int part, final double number) {
        ((DistinctValues) accumulator(group, part)).add(number);
    }

    private Accumulator accumulator(final int group, final int part) {
        return aggregation.group(group).accumulator(part);
    }
}
