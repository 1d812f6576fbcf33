package io.penstock.jmh.format;

import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a keyed topic does with a message: its key, what differs from the message before, and a small delta merged. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class MessageEditBenchmark {
    private static final int RESULT_LENGTH_MAX = 4096;

    /** A file of {@code examples/data}. */
    @Param({"orders-183.ndjson", "orders-845.ndjson"})
    public String data = "";

    private final MessageFormat format = MessageFormats.formatFor("json");
    private final MessageEditor editor = format.newEditor();
    private final FieldSelection kept = FieldSelection.parse("id");
    private final FieldSelection changing = FieldSelection.parse("price, qty");
    private final KeyReader keyReader = new KeyReader(format, kept);
    private final UnsafeBuffer old = new UnsafeBuffer(new byte[RESULT_LENGTH_MAX]);
    private final UnsafeBuffer delta = new UnsafeBuffer(new byte[RESULT_LENGTH_MAX]);
    private final UnsafeBuffer changes = new UnsafeBuffer(new byte[RESULT_LENGTH_MAX]);
    private final UnsafeBuffer result = new UnsafeBuffer(new byte[RESULT_LENGTH_MAX]);
    private int oldLength;
    private int deltaLength;
    private Messages messages = new Messages("orders-183.ndjson");

    /** Loads the messages, of which the first is the one before, and another's price and quantity the delta. */
    @Setup
    public void load() {
        messages = new Messages(data);
        oldLength = messages.length();
        old.putBytes(0, messages.buffer(), messages.offset(), oldLength);
        messages.next();
        deltaLength = editor.select(
                messages.buffer(),
                messages.offset(),
                messages.length(),
                FieldSelection.NONE,
                changing,
                false,
                delta,
                0,
                RESULT_LENGTH_MAX);
    }

    /**
     * The key of a message.
     *
     * @return null.
     */
    @Benchmark
    public @Nullable String key() {
        messages.next();
        return keyReader.read(messages.buffer(), messages.offset(), messages.length());
    }

    /**
     * A message and one of the same members, most of which differ.
     *
     * @return length of the difference.
     */
    @Benchmark
    public int diff() {
        messages.next();
        return editor.diff(
                old,
                0,
                oldLength,
                messages.buffer(),
                messages.offset(),
                messages.length(),
                kept,
                null,
                false,
                result,
                0,
                RESULT_LENGTH_MAX);
    }

    /**
     * A message and the one that a delta of two members makes of it.
     *
     * @return length of the difference.
     */
    @Benchmark
    public int mergeAndDiff() {
        messages.next();
        final int length = mergeDelta();
        return editor.diff(
                messages.buffer(),
                messages.offset(),
                messages.length(),
                result,
                0,
                length,
                kept,
                null,
                false,
                changes,
                0,
                RESULT_LENGTH_MAX);
    }

    /**
     * A delta of two members merged into a message.
     *
     * @return length of the message.
     */
    @Benchmark
    public int merge() {
        messages.next();
        return mergeDelta();
    }

    private int mergeDelta() {
        return editor.merge(
                messages.buffer(),
                messages.offset(),
                messages.length(),
                delta,
                0,
                deltaLength,
                result,
                0,
                RESULT_LENGTH_MAX);
    }

    /**
     * Two fields of a message.
     *
     * @return length of the part.
     */
    @Benchmark
    public int select() {
        messages.next();
        return editor.select(
                messages.buffer(),
                messages.offset(),
                messages.length(),
                FieldSelection.NONE,
                changing,
                false,
                result,
                0,
                RESULT_LENGTH_MAX);
    }
}
