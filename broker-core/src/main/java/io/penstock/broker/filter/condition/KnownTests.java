package io.penstock.broker.filter.condition;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Some of the last tests that stood beside others in conditions: many filters have tests in common, and share them. What is in
 * a place is replaced by what comes next. Tests are immutable, so that it does not matter which of some equal ones is found.
 * Safe on any thread.
 */
final class KnownTests {
    private static final int COUNT = 1 << 13;
    private static final AtomicReferenceArray<Condition.Test> TESTS = new AtomicReferenceArray<>(COUNT);

    private KnownTests() {}

    static Condition.Test of(final Condition.Test test) {
        final int hash = test.hashCode();
        final int place = (hash ^ hash >>> 16) & COUNT - 1;
        final Condition.Test known = TESTS.get(place);
        if (known != null && known.equals(test)) {
            return known;
        }
        TESTS.set(place, test);
        return test;
    }
}
