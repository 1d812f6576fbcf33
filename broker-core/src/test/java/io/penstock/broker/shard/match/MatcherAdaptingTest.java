package io.penstock.broker.shard.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.program.Workspace;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters of two tests each, while now the one and now the other is true of most messages. They lie under the test that is true
 * of few, so that few are evaluated; and all that match are found meanwhile.
 */
class MatcherAdaptingTest {
    private static final int VALUE_COUNT = 20;
    private static final int RARE_COUNT = 2000;
    private static final int MESSAGES = 100_000;
    private static final int MEASURED = 2000;

    private final TopicFields fields = new TopicFields(MessageFormats.formatFor("json"));
    private final Matcher<TestMember> matcher = new Matcher<>(fields);
    private final List<String> found = new ArrayList<>();
    private Random random = new Random(0);
    private long evaluationCount;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldEvaluateFewWhenTheDataChanges(final long seed) {
        random = new Random(seed);
        for (int a = 0; a < VALUE_COUNT; a++) {
            for (int b = 0; b < VALUE_COUNT; b++) {
                TestMember.add(matcher, new Counted("a ENDS WITH ('-" + a + ".') AND b ENDS WITH ('-" + b + ".')"));
            }
        }
        for (int phase = 0; phase < 4; phase++) {
            final int frequent = random.nextInt(VALUE_COUNT);
            for (int i = 0; i < MESSAGES; i++) {
                if (i == MESSAGES - MEASURED) {
                    evaluationCount = 0;
                }
                final int rare = random.nextInt(RARE_COUNT);
                match(phase % 2 == 0 ? rare : frequent, phase % 2 == 0 ? frequent : rare);
            }
            // Under the other test it would be 20 for each message.
            assertThat(evaluationCount).as("phase " + phase).isLessThan(MEASURED);
        }
    }

    /** Matches a message, which is one that a filter is about if both numbers are small. */
    private void match(final int a, final int b) {
        final UnsafeBuffer message =
                new UnsafeBuffer(("{\"a\":\"x-" + a + ".\",\"b\":\"x-" + b + ".\"}").getBytes(UTF_8));
        fields.record(0).wrapContent(message, 0, message.capacity(), 0);
        found.clear();
        matcher.match(fields.record(0), group -> found.add(group.text()));
        if (a < VALUE_COUNT && b < VALUE_COUNT) {
            assertThat(found).containsExactly("a ENDS WITH ('-" + a + ".') AND b ENDS WITH ('-" + b + ".')");
        } else {
            assertThat(found).isEmpty();
        }
    }

    /** A filter whose evaluations are counted. */
    private final class Counted implements Filter {
        private final Filter filter;

        Counted(final String text) {
            filter = FilterCompiler.compile(text, FilterLimits.DEFAULTS);
        }

        @Override
        public boolean matches(final FieldReader message) {
            throw new IllegalStateException("filter: not told the slots");
        }

        @Override
        public boolean matches(final FieldReader message, final int[] slots) {
            evaluationCount++;
            return filter.matches(message, slots);
        }

        @Override
        public void join(final Workspace workspace) {
            filter.join(workspace);
        }

        @Override
        public FieldSet ownFields() {
            return filter.ownFields();
        }

        @Override
        public FieldSet fields() {
            return filter.fields();
        }

        @Override
        public String text() {
            return filter.text();
        }

        @Override
        public Condition condition() {
            return filter.condition();
        }
    }
}
