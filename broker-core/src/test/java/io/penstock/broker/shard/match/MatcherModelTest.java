package io.penstock.broker.shard.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.MessageFormats;
import io.penstock.format.header.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A matcher with an index beside one that evaluates all its filters: while filters come and go, of messages with values of
 * all types, and of pairs of them. {@code -Dpenstock.seeds=N} for a longer form.
 */
class MatcherModelTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 40);
    private static final int STEPS = 400;

    static IntStream seeds() {
        return IntStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindWhatAllFiltersFind(final int seed) {
        final Random random = new Random(seed);
        final RandomMatching values = new RandomMatching(random, seed % 2 == 0 ? 0 : 30);
        final TopicFields fields = new TopicFields(MessageFormats.formatFor("json"));
        final Matcher<TestMember> indexed = new Matcher<>(fields, seed % 3 == 0 ? 16 : 1);
        final Matcher<TestMember> plain = Matcher.withoutIndex(fields);
        final List<TestMember> ofIndexed = new ArrayList<>();
        final List<TestMember> ofPlain = new ArrayList<>();
        final int countMax = 12 + random.nextInt(seed % 3 == 0 ? 20 : 200);
        for (int step = 0; step < STEPS; step++) {
            final int changes = random.nextInt(6);
            for (int i = 0; i < changes; i++) {
                if (ofPlain.isEmpty() || (random.nextInt(4) > (step / 12) % 2 * 2 && ofPlain.size() < countMax)) {
                    final String text = values.condition();
                    ofIndexed.add(TestMember.add(indexed, text));
                    ofPlain.add(TestMember.add(plain, text));
                } else {
                    final int index = random.nextInt(ofPlain.size());
                    final TestMember gone = ofIndexed.remove(index);
                    indexed.remove(gone.group, gone);
                    final TestMember other = ofPlain.remove(index);
                    plain.remove(other.group, other);
                }
            }
            if (!ofPlain.isEmpty()) {
                final int index = random.nextInt(ofPlain.size());
                ofPlain.get(index).isLive = random.nextInt(4) > 0;
                ofPlain.get(index).isAboutBefore = random.nextBoolean();
                ofIndexed.get(index).isLive = ofPlain.get(index).isLive;
                ofIndexed.get(index).isAboutBefore = ofPlain.get(index).isAboutBefore;
            }
            final String message = wrap(fields.record(0), values);
            final String before = wrap(fields.record(1), values);
            final String what = "seed " + seed + ", step " + step + ": " + message + " after " + before;
            assertThat(found(indexed, (matcher, visitor) -> matcher.match(fields.record(0), visitor)))
                    .as(what)
                    .isEqualTo(found(plain, (matcher, visitor) -> matcher.match(fields.record(0), visitor)));
            assertThat(found(indexed, (matcher, visitor) -> matcher.match(fields.record(0), fields.record(1), visitor)))
                    .as(what)
                    .isEqualTo(found(
                            plain, (matcher, visitor) -> matcher.match(fields.record(0), fields.record(1), visitor)));
            assertThat(found(indexed, (matcher, visitor) -> matcher.matchGone(fields.record(1), visitor)))
                    .as(what)
                    .isEqualTo(found(plain, (matcher, visitor) -> matcher.matchGone(fields.record(1), visitor)));
        }
        ofIndexed.forEach(each -> indexed.remove(each.group, each));
        assertThat(indexed.isEmpty()).isTrue();
    }

    private static String wrap(final MatchedRecord record, final RandomMatching values) {
        final UnsafeBuffer content = new UnsafeBuffer(new byte[4096]);
        final String message = values.message();
        final int length = content.putStringWithoutLengthUtf8(0, message);
        final Headers headers = values.headers(Headers.builder());
        headers.write(content, length);
        record.wrapContent(content, 0, length, headers.length());
        return message + " " + headers;
    }

    /** What a matcher hands over, each once. */
    private static Set<String> found(
            final Matcher<TestMember> matcher, final BiConsumer<Matcher<TestMember>, Matcher.Visitor<TestMember>> ask) {
        final Set<String> found = new TreeSet<>();
        ask.accept(matcher, new Matcher.Visitor<>() {
            @Override
            public void onMatch(final FilterGroup<TestMember> group) {
                assertThat(found.add(group.text())).as(group.text()).isTrue();
            }

            @Override
            public void onLeft(final FilterGroup<TestMember> group) {
                assertThat(found.add("not " + group.text())).as(group.text()).isTrue();
            }
        });
        return found;
    }
}
