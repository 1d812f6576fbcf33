package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/**
 * Two messages with a line break between them: their difference merged into the one gives the other. Without
 * {@code JAZZER_FUZZ=1} only the stored inputs run; {@link JsonEditorComparisonTest} stands in.
 */
final class JsonEditorFuzzTest {
    private final Edits edits = new Edits();

    @FuzzTest(maxDuration = "60s")
    void shouldGiveTheMessageWhenDifferencesAreMergedIntoTheOneBefore(final byte[] messages) {
        final String text = new String(messages, StandardCharsets.UTF_8);
        final int lineEnd = text.indexOf('\n');
        if (lineEnd < 0) {
            return;
        }
        final String old = text.substring(0, lineEnd);
        final String now = text.substring(lineEnd + 1);
        if (!isValid(old) || !isValid(now)) {
            return;
        }
        final String diff = edits.diff(old, now, "a, /b/a");
        final Object expected = EditModel.withNulls(EditModel.tree(old), EditModel.tree(now));
        assertThat(EditModel.tree(diff.isEmpty() ? old : edits.merge(old, diff)))
                .isEqualTo(expected);
        assertThat(EditModel.tree(edits.merge(old, now)))
                .isEqualTo(EditModel.merge(EditModel.tree(old), EditModel.tree(now)));
    }

    private static boolean isValid(final String message) {
        return JacksonOracle.accepts(message.getBytes(StandardCharsets.UTF_8));
    }
}
