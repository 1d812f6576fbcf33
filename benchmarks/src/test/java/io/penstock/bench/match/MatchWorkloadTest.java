package io.penstock.bench.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.BenchRun;
import io.penstock.bench.plain.PlainProgram;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MatchWorkloadTest {
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MatchWorkload.LENGTH_MAX]);

    @ParameterizedTest
    @EnumSource(MatchKind.class)
    void shouldMatchAsOftenAsInCWhenFiltersAreEvaluatedOneByOne(final MatchKind kind) throws IOException {
        BenchRun.assumePlainLoops();
        for (final int count : new int[] {1, 30, 700}) {
            final MatchWorkload workload = new MatchWorkload(kind, count, 9, false);
            final FieldSet fields = new FieldSet();
            final List<Filter> filters = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                filters.add(FilterCompiler.compile(workload.filter(i), fields, FilterLimits.DEFAULTS));
            }
            final FieldReader reader = MessageFormats.formatFor("json").newReader(fields);
            long matches = 0;
            for (int number = 0; number < 300; number++) {
                reader.wrap(message, 0, workload.write(number, message));
                for (final Filter filter : filters) {
                    matches += filter.matches(reader) ? 1 : 0;
                }
                assertThat(workload.number(message, 0)).isEqualTo(number);
            }
            try (PlainProgram plain = PlainProgram.start(PlainProgram.MATCH)) {
                plain.ask(workload.command());
                assertThat((long) plain.ask("match 0 300").number("count"))
                        .as("%d filters", count)
                        .isEqualTo(matches);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"EQUALITY,1000", "MIXED,250"})
    void shouldFindEqualitiesByTheTableWhenThereAreSome(final MatchKind kind, final double expected)
            throws IOException {
        BenchRun.assumePlainLoops();
        try (PlainProgram plain = PlainProgram.start(PlainProgram.MATCH)) {
            plain.ask(new MatchWorkload(kind, 400, 9, false).command());

            assertThat(plain.ask("lookup 0 1000").number("count")).isBetween(expected * 0.8, expected * 1.2);
        }
    }
}
