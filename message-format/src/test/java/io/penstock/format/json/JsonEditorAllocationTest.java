package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Once warm, editing, writing and reading keys allocates nothing. */
final class JsonEditorAllocationTest {
    private static final int COUNT = 20_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final UnsafeBuffer old =
            message("{\"id\":7,\"\\u0061\":\"x\",\"o\":{\"b\":1,\"c\":[1,2]},\"same\":\"\\n\",\"gone\":1,\"id\":8}");
    private final UnsafeBuffer now = message(
            "{\"a\":\"\\u0078y\",\"id\":7,\"o\":{\"b\":1,\"c\":[1,3]},\"new\":{\"d\":null},\"same\":\"\\u000a\"}");
    private final UnsafeBuffer to = new UnsafeBuffer(new byte[512]);

    private static UnsafeBuffer message(final String text) {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void shouldAllocateNothing(final Runnable work) {
        repeat(work);
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        repeat(work);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(COUNT / 5);
    }

    private static void repeat(final Runnable work) {
        for (int i = 0; i < COUNT; i++) {
            work.run();
        }
    }

    @Test
    void shouldAllocateNothingWhenEditing() {
        final MessageEditor editor = new JsonFormat().newEditor();
        final FieldSelection kept = FieldSelection.parse("id");
        final FieldSelection selected = FieldSelection.parse("a, /o/c, new");
        shouldAllocateNothing(() -> {
            editor.merge(old, 0, old.capacity(), now, 0, now.capacity(), to, 0, to.capacity());
            editor.diff(old, 0, old.capacity(), now, 0, now.capacity(), kept, null, false, to, 0, to.capacity());
            editor.diff(old, 0, old.capacity(), now, 0, now.capacity(), kept, selected, true, to, 0, to.capacity());
            editor.select(now, 0, now.capacity(), kept, selected, true, to, 0, to.capacity());
        });
    }

    @Test
    void shouldAllocateNothingWhenReadingKeys() {
        final KeyReader reader = new KeyReader(new JsonFormat(), FieldSelection.parse("id, a, /o/b"));
        shouldAllocateNothing(() -> reader.read(old, 0, old.capacity()));
    }

    @Test
    void shouldAllocateNothingWhenWriting() {
        final MessageWriter writer = new JsonFormat().newWriter();
        shouldAllocateNothing(() -> {
            writer.wrap(to, 0, to.capacity());
            writer.putNull("none");
            writer.putBoolean("yes", true);
            writer.putLong("long", Long.MIN_VALUE);
            writer.putDouble("double", Math.PI);
            writer.putText("text", now, 0, now.capacity());
            writer.end();
        });
    }
}
