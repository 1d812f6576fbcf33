package io.penstock.broker.shard.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FilterGroupsTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_125L);

    private final TopicFields fields =
            new TopicFields(MessageFormats.formatFor("json").newReader());
    private final FilterGroups<Subscriber> groups = new FilterGroups<>(fields);

    private Subscriber add(final String text) {
        final Filter filter = FilterCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS);
        final FilterGroup<Subscriber> group = groups.groupOf(filter.text(), filter);
        final Subscriber subscriber = new Subscriber(group);
        group.add(subscriber);
        return subscriber;
    }

    private List<String> matching(final String message) {
        final FieldReader reader = fields.reader(0);
        final UnsafeBuffer bytes = new UnsafeBuffer(message.getBytes(UTF_8));
        reader.wrap(bytes, 0, bytes.capacity());
        final List<String> texts = new ArrayList<>();
        for (int i = 0; i < groups.count(); i++) {
            if (groups.get(i).matches(reader)) {
                texts.add(groups.get(i).text);
            }
        }
        return texts;
    }

    @Test
    void shouldHaveOneGroupForEqualFilters() {
        final Subscriber one = add("a > 1 AND b = 'x'");
        final Subscriber other = add("a>1 and b='x'");
        add("a > 2");

        assertThat(other.group).isSameAs(one.group);
        assertThat(groups.count()).isEqualTo(2);
        assertThat(one.group.size()).isEqualTo(2);
        assertThat(matching("{\"a\":2,\"b\":\"x\"}")).containsExactly(one.group.text);
    }

    @Test
    void shouldReadTheRightFieldsWhenFiltersComeAndGo() {
        final Random random = new Random(SEED);
        final List<Subscriber> present = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            if (present.isEmpty() || random.nextInt(5) > 1) {
                present.add(add("f" + random.nextInt(10) + " = " + random.nextInt(3)));
            } else {
                final Subscriber gone = present.remove(random.nextInt(present.size()));
                groups.remove(gone.group, gone);
            }
            final int field = random.nextInt(10);
            final int value = random.nextInt(3);
            final TreeSet<String> expected = new TreeSet<>();
            present.stream()
                    .map(each -> each.group.text)
                    .filter(text -> text.equals("f" + field + " = " + value))
                    .forEach(expected::add);
            assertThat(matching("{\"f" + field + "\":" + value + "}"))
                    .as("seed %d, step %d", SEED, step)
                    .containsExactlyElementsOf(expected);
        }
        present.forEach(each -> groups.remove(each.group, each));
        assertThat(groups.isEmpty()).isTrue();
    }

    @Test
    void shouldBeLiveWhenAnyMemberIs() {
        final Subscriber one = add("a = 1");
        final Subscriber other = add("a = 1");
        assertThat(one.group.isAnyLive()).isTrue();
        one.isLive = false;
        assertThat(one.group.isAnyLive()).isTrue();
        other.isLive = false;
        assertThat(one.group.isAnyLive()).isFalse();
    }

    private static final class Subscriber implements FilterGroup.Member {
        private final FilterGroup<Subscriber> group;
        private int place;
        private boolean isLive = true;

        Subscriber(final FilterGroup<Subscriber> group) {
            this.group = group;
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public void place(final int value) {
            place = value;
        }

        @Override
        public boolean isLive() {
            return isLive;
        }
    }
}
