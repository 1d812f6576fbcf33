package io.penstock.broker.query;

import io.penstock.broker.filter.syntax.AggregateCall;
import io.penstock.broker.filter.syntax.AggregateFunction;
import io.penstock.broker.query.exact.ValueRoom;
import java.util.ArrayList;
import java.util.List;

/** Which accumulators a group has, and which of them each aggregate asks. Immutable. */
final class AggregatePlan {
    private static final int MESSAGE_COUNT = -1;

    private final List<Part> parts = new ArrayList<>();
    private final AggregateFunction[] functions;
    private final int[] partOf;

    AggregatePlan(final List<AggregateCall> calls, final boolean isRetractable) {
        functions = calls.stream().map(AggregateCall::function).toArray(AggregateFunction[]::new);
        partOf = calls.stream().mapToInt(call -> partOf(call, isRetractable)).toArray();
    }

    private int partOf(final AggregateCall call, final boolean isRetractable) {
        if (call.argument() == AggregateCall.NO_ARGUMENT) {
            return MESSAGE_COUNT;
        }
        final Part part = new Part(call.argument(), AccumulatorKind.of(call.function(), isRetractable));
        if (!parts.contains(part)) {
            parts.add(part);
        }
        return parts.indexOf(part);
    }

    int partCount() {
        return parts.size();
    }

    /** The argument that an accumulator is fed with. */
    int argument(final int part) {
        return parts.get(part).argument();
    }

    /** What an accumulator keeps. */
    AccumulatorKind kind(final int part) {
        return parts.get(part).kind();
    }

    /** @param room that different values take their memory of. */
    Accumulator[] newAccumulators(final ValueRoom room) {
        return parts.stream().map(part -> part.kind().newAccumulator(room)).toArray(Accumulator[]::new);
    }

    int aggregateCount() {
        return functions.length;
    }

    void result(final Group group, final int aggregate, final Value target) {
        final int part = partOf[aggregate];
        if (part == MESSAGE_COUNT) {
            target.set(group.messageCount());
        } else {
            group.accumulator(part).result(functions[aggregate], target);
        }
    }

    private record Part(int argument, AccumulatorKind kind) {}
}
