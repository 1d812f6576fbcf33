package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.format.FieldSelection;
import io.penstock.format.MessageEditor;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message without some fields is a message, and has none of them. Without {@code JAZZER_FUZZ=1} only the stored inputs run;
 * {@link JsonCutTest} stands in.
 */
final class JsonCutFuzzTest {
    private static final FieldSelection CUT = FieldSelection.parse("a, /b/a");

    private final MessageEditor editor = new JsonFormat().newEditor();

    @FuzzTest(maxDuration = "60s")
    void shouldLeaveAMessageWithoutTheFieldsWhateverItIs(final byte[] message) {
        if (!isValid(message)) {
            return;
        }
        final byte[] rest = cut(message);
        assertThat(rest).hasSizeLessThanOrEqualTo(message.length);
        assertThat(isValid(rest)).isTrue();
        assertThat(cut(rest)).isEqualTo(rest);
    }

    private byte[] cut(final byte[] message) {
        final byte[] to = new byte[message.length];
        final int length =
                editor.cut(new UnsafeBuffer(message), 0, message.length, CUT, new UnsafeBuffer(to), 0, to.length);
        return Arrays.copyOf(to, length);
    }

    private static boolean isValid(final byte[] message) {
        return new JsonValidator().validate(new UnsafeBuffer(message), 0, message.length) == null;
    }
}
