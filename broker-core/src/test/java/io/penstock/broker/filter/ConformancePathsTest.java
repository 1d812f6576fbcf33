package io.penstock.broker.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.ColumnStore;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.match.FilterGroup;
import io.penstock.broker.shard.match.Matcher;
import io.penstock.broker.shard.match.TopicFields;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The conformance cases of others, each by the filter itself, by columns, and by the index of filters; and each of their
 * filters about the messages of all cases, which all three have to answer alike.
 */
class ConformancePathsTest {
    private static final int ROW_COUNT = 4200;

    @ParameterizedTest
    @CsvSource({"selector-cases.json, 350", "three-valued-logic-cases.json, 96"})
    void shouldAnswerAlikeByTheFilterByColumnsAndByTheIndex(final String file, final int caseCountMin)
            throws IOException {
        final List<ConformanceCases.Case> cases = ConformanceCases.read(file);
        assertThat(cases).hasSizeGreaterThanOrEqualTo(caseCountMin);
        final List<String> messages =
                cases.stream().map(ConformanceCases.Case::message).distinct().toList();
        final Map<String, BitSet> answers = new LinkedHashMap<>();
        for (final ConformanceCases.Case each : cases) {
            answers.computeIfAbsent(each.filter(), filter -> plain(filter, messages));
        }
        for (final ConformanceCases.Case each : cases) {
            assertThat(Objects.requireNonNull(answers.get(each.filter())).get(messages.indexOf(each.message())))
                    .as("%s: %s of %s", each.id(), each.filter(), each.message())
                    .isEqualTo(each.isMatching());
        }
        compareWithColumns(answers, messages);
        compareWithIndex(answers, messages);
    }

    /** Which messages match by the filter alone. */
    private static BitSet plain(final String text, final List<String> messages) {
        final FieldSet fields = new FieldSet();
        final Filter filter = FilterCompiler.compile(text, fields, FilterLimits.DEFAULTS);
        final FieldReader reader = MessageFormats.formatFor("json").newReader(fields);
        final BitSet matching = new BitSet();
        for (int i = 0; i < messages.size(); i++) {
            final UnsafeBuffer bytes = new UnsafeBuffer(messages.get(i).getBytes(UTF_8));
            reader.wrap(bytes, 0, bytes.capacity());
            matching.set(i, filter.matches(reader));
        }
        return matching;
    }

    /** With each message in many rows, as columns are for topics that are not small. */
    private static void compareWithColumns(final Map<String, BitSet> answers, final List<String> messages) {
        long readCount = 0;
        try (ColumnStore store = new ColumnStore(64L << 20)) {
            for (int row = 0; row < ROW_COUNT; row++) {
                store.put(row, messages.get(row % messages.size()));
            }
            final QuerySource source = store.open();
            for (final Map.Entry<String, BitSet> each : answers.entrySet()) {
                final ColumnStore.Answer answer = ColumnStore.ask(source, each.getKey(), 1);
                readCount += answer.rowsRead();
                final BitSet found = new BitSet();
                answer.found().rows().forEach(row -> found.set(row.get(0).intValue()));
                for (int row = 0; row < ROW_COUNT; row++) {
                    if (found.get(row) != each.getValue().get(row % messages.size())) {
                        throw new AssertionError(each.getKey() + " by columns of " + messages.get(row % messages.size())
                                + ": " + found.get(row));
                    }
                }
            }
            store.close(source);
        }
        assertThat(readCount).as("rows read").isLessThan((long) ROW_COUNT * answers.size() / 2);
    }

    private static void compareWithIndex(final Map<String, BitSet> answers, final List<String> messages) {
        final TopicFields fields = new TopicFields(MessageFormats.formatFor("json"));
        final Matcher<Member> matcher = new Matcher<>(fields);
        final Map<FilterGroup<Member>, Set<String>> texts = new HashMap<>();
        for (final String text : answers.keySet()) {
            final Filter filter = FilterCompiler.compile(text, FilterLimits.DEFAULTS);
            final FilterGroup<Member> group = matcher.groupOf(filter.text(), filter);
            matcher.add(group, new Member());
            texts.computeIfAbsent(group, of -> new HashSet<>()).add(text);
        }
        // Filters move in the index when they were found for nothing for some time.
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < messages.size(); i++) {
                final UnsafeBuffer bytes = new UnsafeBuffer(messages.get(i).getBytes(UTF_8));
                fields.record(0).wrapContent(bytes, 0, bytes.capacity(), 0);
                final Set<String> found = new HashSet<>();
                matcher.match(fields.record(0), group -> found.addAll(texts.get(group)));
                final Set<String> expected = new HashSet<>();
                for (final Map.Entry<String, BitSet> each : answers.entrySet()) {
                    if (each.getValue().get(i)) {
                        expected.add(each.getKey());
                    }
                }
                assertThat(found).as("filters of %s", messages.get(i)).isEqualTo(expected);
            }
        }
    }

    /** Somebody with a filter. */
    private static final class Member implements Matcher.Member {
        private int place;

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
            return recordIndex == 0;
        }
    }
}
