package io.penstock.broker.session.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.security.TopicRights;
import io.penstock.format.FieldSelection;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How often a query is looked at, of however many topics it is. */
class AskedFieldsTest {
    private final AtomicInteger looks = new AtomicInteger();
    private final QueryPlan plan = QueryPlan.rows("a = 1 AND /b/c = 2", 1);
    private final AskedFields asked = new AskedFields(() -> {
        looks.incrementAndGet();
        return plan.fields();
    });

    @Test
    void shouldLookOnceAndOnlyWhenSomethingIsHidden() {
        for (int i = 0; i < 100; i++) {
            assertThat(asked.tellOfHidden(hiding(FieldSelection.NONE))).isFalse();
        }
        assertThat(looks).hasValue(0);
        for (int i = 0; i < 100; i++) {
            assertThat(asked.tellOfHidden(hiding(FieldSelection.parse("x, a")))).isTrue();
            assertThat(asked.tellOfHidden(hiding(FieldSelection.parse("/b")))).isTrue();
            assertThat(asked.tellOfHidden(hiding(FieldSelection.parse("x, /b/d"))))
                    .isFalse();
        }
        assertThat(looks).hasValue(1);
    }

    private static TopicRights hiding(final FieldSelection hidden) {
        return new TopicRights("", "", "", "", "", "", hidden);
    }
}
