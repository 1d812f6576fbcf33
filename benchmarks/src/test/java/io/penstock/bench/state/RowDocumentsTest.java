package io.penstock.bench.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.bench.BenchRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RowDocumentsTest {
    private final RowDocuments documents = new RowDocuments(3);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RowDocuments.LENGTH_MAX]);

    @Test
    void shouldBeJsonThatReadsAsTheFieldsWhenWritten() throws IOException {
        for (int row = 0; row < 2_000; row++) {
            final Map<String, String> fields = fields(documents.write(row, row % 5, 77L + row, buffer));

            assertThat(fields.keySet())
                    .containsExactly(
                            "id", "symbol", "side", "price", "qty", "venue", "account", "created", "updated", "text");
            assertThat(fields)
                    .containsEntry("id", String.valueOf(RowDocuments.id(row)))
                    .containsEntry("symbol", RowDocuments.symbol(buffer))
                    .containsEntry("qty", String.valueOf(RowDocuments.qty(buffer)))
                    .containsEntry("venue", RowDocuments.venue(buffer))
                    .containsEntry("updated", String.valueOf(1_700_000_000_077L + row));
            assertThat(Double.parseDouble(fields.get("price"))).isEqualTo(RowDocuments.price(buffer));
            assertThat(RowDocuments.stamp(buffer, 0)).isEqualTo(77 + row);
        }
    }

    @Test
    void shouldHaveTheSameLengthWhenOnlyVersionAndStampDiffer() {
        for (int row = 0; row < 500; row++) {
            assertThat(documents.write(row, 9, 12_345L, buffer)).isEqualTo(documents.write(row, 0, 0L, buffer));
        }
    }

    @Test
    void shouldBeAsLongAsIsAskedForWhenTheyAreLonger() throws IOException {
        for (int row = 0; row < 100; row++) {
            documents.writeLonger(row, 1, 400, buffer);
            assertThat(fields(400)).hasSize(10);
        }
    }

    @Test
    void shouldBeFoundAsOftenAsInCWhenQueriesCountThem() throws IOException {
        BenchRun.assumePlainLoops();
        final int rowCount = 5_000;
        try (PlainRows plain = PlainRows.load(rowCount, 3)) {
            for (final long version : new long[] {0, 2}) {
                plain.version(version);
                final List<RowQuery> queries = RowQuery.list(20, 0.02);
                final List<Double> counts = new ArrayList<>();
                for (final RowQuery query : queries) {
                    double count = 0;
                    for (int row = 0; row < rowCount; row++) {
                        count += documents.matches(query, row, version) ? 1 : 0;
                    }
                    counts.add(count);
                    assertThat(plain.count(query, 3).values()).containsExactly(count);
                }
                assertThat(plain.counts(queries).values()).isEqualTo(counts);
                assertThat(counts.stream().mapToDouble(count -> count).sum() / rowCount / queries.size())
                        .isBetween(0.015, 0.025);
            }
        }
    }

    @Test
    void shouldAllBeDifferentWhenQueriesAreMany() {
        assertThat(RowQuery.list(64, 0.01)).doesNotHaveDuplicates();
        assertThat(RowQuery.list(1, 0.25).get(0).text())
                .matches("symbol LIKE 'A.%' AND price > [1-4]\\d\\d\\.\\d\\d AND qty BETWEEN \\d{4} AND \\d{4}");
    }

    @Test
    void shouldFindMoreThanHalfWhenTheSymbolIsNotAskedFor() throws IOException {
        BenchRun.assumePlainLoops();
        final int rowCount = 5_000;
        try (PlainRows plain = PlainRows.load(rowCount, 3)) {
            for (final double part : new double[] {0.6, 0.9, 1}) {
                final RowQuery query = RowQuery.list(2, part).get(1);
                int count = 0;
                for (int row = 0; row < rowCount; row++) {
                    count += documents.matches(query, row, 0) ? 1 : 0;
                }
                assertThat(query.text()).matches("price > \\d+\\.\\d\\d AND qty BETWEEN \\d{4} AND \\d{4}");
                assertThat(plain.count(query).values()).containsExactly((double) count);
                assertThat((double) count / rowCount).isBetween(part - 0.03, Math.min(1, part + 0.03));
            }
            assertThat(plain.count(RowQuery.list(1, 1).get(0)).values()).containsExactly((double) rowCount);
        }
    }

    private Map<String, String> fields(final int length) throws IOException {
        final Map<String, String> fields = new LinkedHashMap<>();
        final String json = new String(buffer.byteArray(), 0, length, StandardCharsets.UTF_8);
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                parser.nextToken();
                fields.put(parser.currentName(), parser.getText());
            }
            assertThat(parser.nextToken()).isNull();
        }
        return fields;
    }
}
