package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The fields of light filters, in sets that do not change: some of the last ones, for many filters are about the same fields,
 * and share them. Safe on any thread.
 */
final class KnownFieldSets {
    private static final int COUNT = 1024;
    private static final AtomicReferenceArray<FieldSet> SETS = new AtomicReferenceArray<>(COUNT);

    private KnownFieldSets() {}

    /** The fields of a condition all of whose tests have one, in the order of the tests. */
    static FieldSet of(final Condition condition) {
        final FieldSet made = new FieldSet();
        add(condition, made);
        int hash = 0;
        for (int slot = 0; slot < made.count(); slot++) {
            hash = 31 * hash + made.path(slot).hashCode();
        }
        final int place = (hash ^ hash >>> 16) & COUNT - 1;
        final FieldSet known = SETS.get(place);
        if (known != null && areEqual(known, made)) {
            return known;
        }
        SETS.set(place, made);
        return made;
    }

    private static void add(final Condition condition, final FieldSet fields) {
        if (condition instanceof Condition.Test test) {
            final FieldPath path = Objects.requireNonNull(test.field());
            fields.slotOf(path);
        } else {
            operands(condition).forEach(operand -> add(operand, fields));
        }
    }

    private static List<Condition> operands(final Condition condition) {
        return condition instanceof Condition.All all ? all.operands() : ((Condition.Any) condition).operands();
    }

    private static boolean areEqual(final FieldSet left, final FieldSet right) {
        if (left.count() != right.count()) {
            return false;
        }
        for (int slot = 0; slot < left.count(); slot++) {
            if (!left.path(slot).equals(right.path(slot))) {
                return false;
            }
        }
        return true;
    }
}
