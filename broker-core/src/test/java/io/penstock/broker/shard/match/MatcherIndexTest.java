package io.penstock.broker.shard.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a message costs is how many filters are evaluated for it. */
class MatcherIndexTest {
    private static final int COUNT = 10_000;

    private final TopicFields fields = new TopicFields(MessageFormats.formatFor("json"));
    private final Matcher<TestMember> matcher = new Matcher<>(fields);
    private final List<TestMember> members = new ArrayList<>();
    private int evaluationCount;
    private int matchCount;

    private void add(final int count, final IntFunction<String> text) {
        for (int i = 0; i < count; i++) {
            members.add(TestMember.add(matcher, new Counted(text.apply(i))));
        }
    }

    /** Matches a message, and returns how many filters were evaluated. */
    private int evaluations(final String message) {
        wrap(message);
        return evaluations();
    }

    private void wrap(final String message) {
        final UnsafeBuffer bytes = new UnsafeBuffer(message.replace('\'', '"').getBytes(UTF_8));
        fields.record(0).wrapContent(bytes, 0, bytes.capacity(), 0);
    }

    private int evaluations() {
        evaluationCount = 0;
        matchCount = 0;
        matcher.match(fields.record(0), group -> matchCount++);
        return evaluationCount;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    v = %d                                        | 0 | 1
                    v = %d.5 OR v = %d                            | 0 | 1
                    v IN (%d, -%d, 'a%d')                         | 0 | 1
                    v = %d AND w > 0                              | 1 | 1
                    w > 0 AND name LIKE '%%4' AND v = %d          | 1 | 1
                    v BETWEEN %d AND %d                           | 0 | 1
                    v > %d.25 AND v < %d.75 OR v = %d             | 0 | 1
                    v >= %d AND v < %d.75                         | 0 | 1
                    v >= %d AND w = w AND v < %d.75               | 1 | 1
                    v >= %d AND v <= %d AND v = %d                | 1 | 1
                    name = 'n%d'                                  | 0 | 1
                    name LIKE 'n%d'                               | 0 | 1
                    name LIKE 'n%d%%'                             | 0 | 4
                    name BEGINS WITH 'n%d'                        | 0 | 4
                    name ENDS WITH 'n%d'                          | 0 | 1
                    name LIKE 'n%d_'                              | 4 | 1
                    note LIKE '%%<%d>%%'                          | 8 | 1
                    note CONTAINS '<%d>'                          | 8 | 1
                    name BETWEEN 'n%d' AND 'n%d'                  | 1 | 1
                    (v = %d OR name = 'n%d') AND w = 5            | 40 | 1
                    v%d = 5                                       | 0 | 0
                    v%d <> 5                                      | 0 | 0
                    NOT (v%d = 5 OR v%d = 6)                      | 0 | 0
                    NOT (v <> %d) AND v = %d                      | 1 | 1
                    (v = %d) IS TRUE                              | 0 | 1
                    """)
    void shouldEvaluateFewFiltersWhenOneOfTheirTestsIsSelective(
            final String text, final int evaluationsMax, final int matches) {
        add(COUNT, i -> text.replace("%d", Integer.toString(i)).replace("%%", "%"));
        for (int i = 0; i < 3; i++) {
            assertThat(evaluations("{'v':1234,'w':5,'name':'n1234','note':'of <1234>, or so'}"))
                    .isLessThanOrEqualTo(evaluationsMax);
            assertThat(matchCount).isEqualTo(matches);
        }
        assertThat(evaluations("{'x':1}")).isZero();
        assertThat(evaluations("{}")).isZero();
    }

    @Test
    void shouldEvaluateNothingWhenFiltersAreTrueByTheirOnlyTest() {
        add(100, i -> "v > " + i);
        assertThat(evaluations("{'v':50}")).isZero();
        assertThat(matchCount).isEqualTo(50);
        assertThat(evaluations("{'v':[1, 200]}")).isEqualTo(100);
        assertThat(matchCount).isEqualTo(100);
    }

    @Test
    void shouldEvaluateEachOnceWhenSeveralTestsLeadToIt() {
        add(100, i -> "a IN (1, 2, 'x') AND c = c OR b = 1 AND c = c");
        add(99, i -> "d = " + i);
        assertThat(evaluations("{'a':[1,2,'x'],'b':1,'c':1}")).isEqualTo(1);
        assertThat(matchCount).isEqualTo(1);
    }

    @Test
    void shouldMoveFiltersWhenATestOfAllOfThemIsTrueOfAllMessages() {
        add(COUNT, i -> "type = 'x' AND note CONTAINS '<" + i + ">'");
        final String message = "{'type':'x','note':'of <1234>, or so'}";
        for (int i = 0; i < 1000; i++) {
            evaluations(message);
            assertThat(matchCount).isEqualTo(1);
        }
        assertThat(evaluations(message)).isLessThan(2);
    }

    @Test
    void shouldMoveFiltersWhenTheirRangesAreWide() {
        add(1000, i -> "v BETWEEN " + i + " AND 1000000 AND note CONTAINS '<" + i + ">' AND w > 0");
        final String message = "{'type':'x','v':5000,'w':1,'note':'of <123>, or so'}";
        for (int i = 0; i < 3000; i++) {
            evaluations(message);
            assertThat(matchCount).isEqualTo(1);
        }
        assertThat(evaluations(message)).isLessThan(64);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    b = 2                   | 2, [1, 2], 2.0             | 1, '2', null, true, {}
                    b = 2.5                 | 2.5, [3, 2.5]              | 2, '2.5'
                    b > 2                   | 3, 2.5, [0, 3]             | 2, '3', []
                    b < 1                   | 0, -5, 0.5                 | 1, '0'
                    b BETWEEN 1 AND 3       | 1, 3, 2.5, [9, 2]          | 0, 4, '2'
                    b = 'abcdefghi'         | 'abcdefghi'                | 'abcdefgh', 1, null
                    b BEGINS WITH 'ab'      | 'ab', 'abc', 'ab12345678'  | 'a', 'ac', 5
                    b LIKE 'ab%'            | 'ab', 'abc', ['x', 'abz']  | 'a', 'ac', 5
                    b >= 'm'                | 'm', 'ma', 'z'             | 'l', 5
                    b = 9007199254740993    | 9007199254740993           | 9007199254740992, 9007199254740994
                    """)
    void shouldBeTrueWhenTheTestsThatAreLookedAtBeforeAre(
            final String guard, final String matching, final String others) {
        add(100, i -> "a = " + i + " AND " + guard + " AND c + 1 = 2");
        for (final String value : matching.split(", (?![^\\[]*\\])", -1)) {
            evaluations("{'a':7,'c':1,'b':" + value + "}");
            assertThat(matchCount).as(value).isEqualTo(1);
        }
        for (final String value : others.split(", ", -1)) {
            evaluations("{'a':7,'c':1,'b':" + value + "}");
            assertThat(matchCount).as(value).isZero();
        }
        assertThat(evaluations("{'a':7,'c':1}")).isZero();
    }

    @Test
    void shouldEvaluateAllWhenNoTestLeadsToThem() {
        add(100, i -> "v + " + i + " = 150");
        assertThat(evaluations("{'v':100}")).isEqualTo(100);
        assertThat(matchCount).isEqualTo(1);
    }

    @Test
    void shouldBeEmptyWhenAllFiltersAreGone() {
        for (int round = 0; round < 2; round++) {
            add(2000, i -> "v = " + i + " OR w" + i % 50 + " IS NULL AND name LIKE 'n" + i + "%'");
            add(2000, i -> "v BETWEEN " + i + " AND " + 2 * i + " OR note CONTAINS 'n" + i + "'");
            assertThat(evaluations("{'v':1000,'name':'n7'}")).isPositive();
            for (final TestMember each : members) {
                matcher.remove(each.group, each);
                assertThat(matcher.find(each.group.text())).isNull();
            }
            members.clear();
            assertThat(matcher.isEmpty()).isTrue();
            assertThat(evaluations("{'v':1000,'name':'n7'}")).isZero();
        }
    }

    @Test
    void shouldFindFiltersWhenTheIndexWasGoneMeanwhile() {
        add(1, i -> "v = 5");
        for (int round = 0; round < 3; round++) {
            add(100, i -> "v = " + i + " AND w = 1");
            for (int i = 0; i < 10; i++) {
                evaluations("{'v':5}");
                assertThat(matchCount).isEqualTo(1);
            }
            while (members.size() > 1) {
                final TestMember gone = members.remove(1);
                matcher.remove(gone.group, gone);
            }
        }
    }

    @Test
    void shouldMoveAFilterWhenTheBytesThatItLooksForAreFrequent() {
        add(16, i -> "note CONTAINS 'frequent <" + i + ">'");
        for (int i = 0; i < 3000; i++) {
            evaluations("{'note':'these words are frequent and <17> is not'}");
        }
        assertThat(evaluations("{'note':'these words are frequent and <17> is not'}"))
                .isLessThan(2);
        assertThat(evaluations("{'note':'of frequent <7>'}")).isPositive();
        assertThat(matchCount).isEqualTo(1);
    }

    @Test
    void shouldAllocateNothingWhenMessagesAreMatched() {
        add(500, i -> "v = " + i);
        add(500, i -> "v BETWEEN " + i + " AND " + 2 * i + " AND w = 1");
        add(500, i -> "name BEGINS WITH 'n" + i + "' OR note CONTAINS '<" + i + ">'");
        add(500, i -> "w = 1 AND LENGTH(name) = " + i);
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        wrap("{'v':123,'w':1,'name':'n12','note':'of <123>, or so'}");
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 60 && allocated > 24; round++) {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 500; i++) {
                evaluations();
            }
            allocated = (threads.getCurrentThreadAllocatedBytes() - before) / 500;
        }
        // The visitor is one lambda a message.
        assertThat(allocated).isLessThanOrEqualTo(24);
        assertThat(matchCount).isPositive();
    }

    /** A filter whose evaluations are counted. */
    private final class Counted implements Filter {
        private final Filter filter;

        Counted(final String text) {
            filter = FilterCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS);
        }

        @Override
        public boolean matches(final FieldReader message) {
            evaluationCount++;
            return filter.matches(message);
        }

        @Override
        public boolean matches(final FieldReader message, final int[] slots) {
            evaluationCount++;
            return filter.matches(message, slots);
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
