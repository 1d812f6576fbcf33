package io.penstock.bench.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class OrderDocumentsTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8 + OrderDocuments.LENGTH_MAX]);

    @Test
    void shouldBeJsonWithTheFieldsOfAnOrderWhenWritten() throws IOException {
        for (int number = 0; number < 5_000; number++) {
            assertThat(names(document(number, number % 7)))
                    .containsExactly(
                            "id", "clOrdId", "account", "symbol", "side", "price", "qty", "status", "text", "ts");
        }
    }

    @Test
    void shouldHaveTheSameLengthWhenOnlyTheVersionDiffers() {
        for (int number = 0; number < 1_000; number++) {
            final String first = document(number, 0);
            for (int version = 1; version < 20; version++) {
                assertThat(document(number, version)).hasSameSizeAs(first).isNotEqualTo(first);
            }
        }
    }

    @Test
    void shouldBeTheSameWhenWrittenAgain() {
        final Set<String> different = new HashSet<>();
        for (int number = 0; number < 1_000; number++) {
            assertThat(document(number, 3)).isEqualTo(document(number, 3));
            different.add(document(number, 3));
        }
        assertThat(different).hasSize(1_000);
    }

    private String document(final int number, final int version) {
        final int length = OrderDocuments.write(number, version, buffer, 8);
        assertThat(length).isBetween(100, OrderDocuments.LENGTH_MAX);
        final byte[] bytes = new byte[length];
        buffer.getBytes(8, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static List<String> names(final String json) throws IOException {
        final List<String> names = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            while (parser.nextFieldName() != null) {
                names.add(parser.currentName());
                assertThat(parser.nextToken().isScalarValue()).isTrue();
            }
            assertThat(parser.nextToken()).isNull();
        }
        return names;
    }
}
