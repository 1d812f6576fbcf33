package io.penstock.broker.shard.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSet;
import io.penstock.format.GrowableReader;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.format.header.Headers;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MatcherTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_125L);

    private final TopicFields fields = new TopicFields(MessageFormats.formatFor("json"));
    private final Matcher<Subscriber> matcher = new Matcher<>(fields);
    private final MatchedRecord first = fields.record(0);
    private final MatchedRecord second = fields.record(1);

    private Subscriber add(final String text) {
        return add(matcher, text);
    }

    private static Subscriber add(final Matcher<Subscriber> to, final String text) {
        final Filter filter =
                text.isEmpty() ? null : FilterCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS);
        final FilterGroup<Subscriber> group = to.groupOf(filter == null ? "" : filter.text(), filter);
        final Subscriber subscriber = new Subscriber(group);
        to.add(group, subscriber);
        return subscriber;
    }

    private static void wrap(final MatchedRecord record, final String message) {
        final UnsafeBuffer bytes = new UnsafeBuffer(message.getBytes(UTF_8));
        record.wrapContent(bytes, 0, bytes.capacity(), 0);
    }

    private List<String> matching(final MatchedRecord record) {
        final List<String> matched = new ArrayList<>();
        matcher.match(record, group -> matched.add(group.text()));
        return matched;
    }

    private List<String> matching(final String message) {
        wrap(first, message);
        return matching(first);
    }

    @Test
    void shouldHaveOneGroupForEqualFilters() {
        final Subscriber one = add("a > 1 AND b = 'x'");
        final Subscriber other = add("a>1 and b='x'");
        add("a > 2");

        assertThat(other.group).isSameAs(one.group).isSameAs(matcher.find(one.group.text()));
        assertThat(matcher.groupCount()).isEqualTo(2);
        assertThat(one.group.size()).isEqualTo(2);
        assertThat(matching("{\"a\":2,\"b\":\"x\"}")).containsExactly(one.group.text());
    }

    @Test
    void shouldMatchEverythingWithoutAFilter() {
        add("");
        assertThat(matching("{}")).containsExactly("");
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
                matcher.remove(gone.group, gone);
            }
            final String message = message(random);
            final String other = message(random);
            wrap(second, other);
            assertThat(matching(message))
                    .as("seed %d, step %d", SEED, step)
                    .containsExactlyInAnyOrderElementsOf(expected(present, message));
            // One record after the other, and both at a time.
            assertThat(matching(second))
                    .as("seed %d, step %d, second", SEED, step)
                    .containsExactlyInAnyOrderElementsOf(expected(present, other));
            assertThat(matching(first))
                    .as("seed %d, step %d, again", SEED, step)
                    .containsExactlyInAnyOrderElementsOf(expected(present, message));
        }
        present.forEach(each -> matcher.remove(each.group, each));
        assertThat(matcher.isEmpty()).isTrue();
    }

    private static String message(final Random random) {
        return "{\"f" + random.nextInt(10) + "\":" + random.nextInt(3) + "}";
    }

    private static Set<String> expected(final List<Subscriber> present, final String message) {
        final Set<String> expected = new TreeSet<>();
        final String filter = message.replaceAll("[{}\"]", "").replace(":", " = ");
        present.stream()
                .map(each -> each.group.text())
                .filter(text -> text.equals(filter))
                .forEach(expected::add);
        return expected;
    }

    @Test
    void shouldReadAMessageOnceForAllThatHaveItsFields() {
        final AtomicInteger readCount = new AtomicInteger();
        final TopicFields counted = new TopicFields(counting(readCount));
        final Matcher<Subscriber> ofOneKind = new Matcher<>(counted);
        final Matcher<Subscriber> ofAnother = new Matcher<>(counted);
        final List<Subscriber> all = List.of(
                add(ofOneKind, "a = 1"),
                add(ofOneKind, "a = 1 AND b = 2"),
                add(ofAnother, "b = 2"),
                add(ofAnother, ""));
        for (int i = 0; i < 10; i++) {
            final MatchedRecord record = counted.record(0);
            wrap(record, "{\"a\":1,\"b\":2}");
            assertThat(readCount).hasValue(i);
            assertThat(all).allMatch(each -> each.group.matches(record));
            assertThat(readCount).hasValue(i + 1);
        }
    }

    /** JSON, with its readers' messages counted. */
    private static MessageFormat counting(final AtomicInteger readCount) {
        final MessageFormat json = MessageFormats.formatFor("json");
        return proxy(
                MessageFormat.class,
                json,
                (method, result) -> result instanceof GrowableReader reader
                        ? proxy(GrowableReader.class, reader, (called, none) -> {
                            readCount.addAndGet(called.getName().equals("wrap") ? 1 : 0);
                            return none;
                        })
                        : result);
    }

    private static <T> T proxy(
            final Class<T> type,
            final T target,
            final BiFunction<Method, @Nullable Object, @Nullable Object> onCalled) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> onCalled.apply(method, method.invoke(target, arguments))));
    }

    @Test
    void shouldDistinguishWhatMatchesFromWhatMatchedBefore() {
        List.of("a = 1", "a = 2", "b = 1", "a = 3").forEach(this::add);
        final List<String> found = new ArrayList<>();
        final Matcher.Visitor<Subscriber> visitor = new Matcher.Visitor<>() {
            @Override
            public void onMatch(final FilterGroup<Subscriber> group) {
                found.add(group.text());
            }

            @Override
            public void onLeft(final FilterGroup<Subscriber> group) {
                found.add("not " + group.text());
            }
        };
        wrap(first, "{\"a\":2,\"b\":1}");
        wrap(second, "{\"a\":1,\"b\":1}");
        matcher.match(first, second, visitor);
        assertThat(found).containsExactly("not a = 1", "a = 2", "b = 1");

        found.clear();
        matcher.matchGone(second, visitor);
        assertThat(found).containsExactly("not a = 1", "not b = 1");
    }

    @Test
    void shouldReadAMessageAgainWhenAFilterCameSince() {
        final Subscriber one = add("a = 1");
        wrap(first, "{\"a\":1,\"b\":2}");
        assertThat(one.group.matches(first)).isTrue();
        final Subscriber late = add("b = 2");
        assertThat(late.group.matches(first)).isTrue();
    }

    @Test
    void shouldReadHeadersFromWhenAFilterAsksForThem() {
        final UnsafeBuffer content = new UnsafeBuffer(new byte[256]);
        final int length = content.putStringWithoutLengthUtf8(0, "{\"a\":1}");
        final int headersLength = Headers.of("desk", "x").write(content, length);
        final Subscriber one = add("a = 1");
        first.wrapContent(content, 0, length, headersLength);
        assertThat(one.group.matches(first)).isTrue();

        final Subscriber late = add("HEADER('desk') = 'x'");
        assertThat(late.group.matches(first)).isTrue();
        matcher.remove(late.group, late);
        matcher.remove(one.group, one);
        final Subscriber again = add("HEADER('desk') = 'y'");
        assertThat(again.group.matches(first)).isFalse();
    }

    @Test
    void shouldFindOnlyGroupsWithAMemberThatWantsTheRecord() {
        final Subscriber one = add("a = 1");
        final Subscriber other = add("a = 1");
        assertThat(matching("{\"a\":1}")).hasSize(1);
        one.isLive = false;
        assertThat(matching("{\"a\":1}")).hasSize(1);
        other.isLive = false;
        assertThat(matching("{\"a\":1}")).isEmpty();
        assertThat(one.group.matches(first)).isTrue();
    }

    private static final class Subscriber implements Matcher.Member {
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
        public boolean wants(final int recordIndex) {
            return isLive;
        }
    }
}
