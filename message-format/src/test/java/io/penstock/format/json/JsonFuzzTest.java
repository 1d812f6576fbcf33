package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageValidator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Any bytes are accepted and read as Jackson does, or refused. Without {@code JAZZER_FUZZ=1} only the stored inputs run;
 * {@link JsonComparisonTest} stands in.
 */
final class JsonFuzzTest {
    private final FieldSet fields = FieldTexts.fields(JsonSamples.PATHS);
    /** Kept, as what one message teaches them must not matter to the next. */
    private final MessageValidator validator = new JsonFormat().newValidator();

    private final FieldReader reader = new JsonFormat().newReader(fields);

    @FuzzTest(maxDuration = "60s")
    void shouldAcceptAndReadWhatJacksonDoes(final byte[] message) {
        final boolean isValid = JacksonOracle.accepts(message);
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        for (int round = 0; round < 2; round++) {
            final String mistake = validator.validate(buffer, 0, message.length);
            assertThat(mistake == null).as(mistake).isEqualTo(isValid);
            reader.wrap(buffer, 0, message.length);
            for (int slot = 0; slot < fields.count(); slot++) {
                final String value = FieldTexts.value(reader, slot);
                if (isValid) {
                    assertThat(value).isEqualTo(JacksonOracle.value(JacksonOracle.tree(message), fields.path(slot)));
                }
            }
        }
    }
}
