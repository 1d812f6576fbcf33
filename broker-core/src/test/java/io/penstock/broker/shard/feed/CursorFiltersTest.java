package io.penstock.broker.shard.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Action;
import io.penstock.broker.security.Entitlement;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Texts are compiled once for all cursors that have the same, whatever the number of topics. */
class CursorFiltersTest {
    private static final int TOPIC_COUNT = 50;
    private static final int CURSOR_COUNT = 20;

    private final CursorFilters filters = new CursorFilters();

    private static Entitlement entitlement(final String desk) {
        final Permissions permissions = Permissions.of(List.of(new Role(
                Role.EVERYONE, List.of(PermissionRule.allow(List.of("read"), List.of("o*"), "desk = USER('desk')")))));
        return permissions.entitlement(
                new Principal("user of " + desk, Set.of(), Map.of("desk", desk)),
                List.of(Action.SUBSCRIBE, Action.REPLAY));
    }

    private static Topic topic(final String name, final int id) {
        return new Topic(0, id, name, MessageFormats.formatFor("json"), null);
    }

    @Test
    void shouldCompileOnceForCursorsOfTheSameRights() {
        final List<CursorFilters.Compiled> taken = new ArrayList<>();
        for (int cursor = 0; cursor < CURSOR_COUNT; cursor++) {
            // Rights of two users, who say the same.
            final CursorFilters.Compiled compiled = filters.take(entitlement("E"), "n > 1");
            taken.add(compiled);
            for (int i = 0; i < TOPIC_COUNT; i++) {
                assertThat(compiled.of(topic("o" + i, i))).isNotNull();
                assertThat(compiled.of(topic("p" + i, TOPIC_COUNT + i))).isNull();
            }
        }
        assertThat(filters.compiledCount()).isEqualTo(1);

        filters.take(entitlement("W"), "n > 1");
        filters.take(entitlement("E"), "n > 2");
        filters.take(null, "n > 1");
        assertThat(filters.compiledCount()).isEqualTo(4);

        taken.forEach(filters::giveBack);
        filters.take(entitlement("E"), "n > 1");
        assertThat(filters.compiledCount()).as("forgotten with the last cursor").isEqualTo(5);
    }

    @Test
    void shouldWantAllWhenNothingLimitsIt() {
        assertThat(filters.take(null, "").of(topic("o", 1)).text()).isEmpty();
    }
}
