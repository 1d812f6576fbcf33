package io.penstock.format.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.penstock.format.EditorSupport;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.format.MessageValidator;
import io.penstock.format.MessageWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every format must pass. A format subclasses it in its tests with samples of its messages; the more of the format's
 * ways the samples take, the more is tested.
 */
public abstract class MessageFormatTck {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final int MUTATIONS_PER_SEED = 2_000;
    private static final int OFFSETS = 17;
    private static final int WARM_UP_COUNT = 30_000;
    private static final int MEASURED_COUNT = 100_000;

    private static final int EDIT_OFFSET = 5;
    private static final int EDIT_LENGTH_MAX = 8192;

    /** Bytes; room for what the virtual machine itself allocates now and then. */
    private static final double ALLOCATED_PER_MESSAGE_MAX = 0.1;

    private final FieldSet fields = new FieldSet();
    private List<FormatSample> samples;
    private MessageValidator validator;
    private FieldReader reader;

    /**
     * The format.
     *
     * @return an instance, the same each time or not.
     */
    protected abstract MessageFormat format();

    /**
     * Valid messages.
     *
     * @return at least two that differ.
     */
    protected abstract List<FormatSample> samples();

    /**
     * Messages that must be refused.
     *
     * @return some, or none when the format accepts any bytes.
     */
    protected abstract List<byte[]> refusedMessages();

    /**
     * Whether a sample is refused when it is cut off, wherever that is.
     *
     * @return true when it is.
     */
    protected abstract boolean refusesTruncation();

    /** Takes the fields of all samples together. */
    @BeforeEach
    public void collectFields() {
        samples = samples();
        fields.slotOf(FieldPath.of("field of no sample"));
        samples.forEach(sample -> sample.addTo(fields));
        validator = format().newValidator();
        reader = format().newReader(fields);
    }

    @Test
    public void shouldBeFoundByItsName() {
        assertThat(MessageFormats.formatFor(format().name())).hasSameClassAs(format());
        assertThat(format().name()).matches("[a-z][a-z0-9-]*");
    }

    @Test
    public void shouldReadWhatTheSamplesHold() {
        for (final FormatSample sample : samples) {
            for (int offset = 0; offset < OFFSETS; offset++) {
                for (final Placement placement : Placement.everywhere(sample.message(), offset, 0xFF)) {
                    assertThat(validate(placement))
                            .as("%s: %s", placement, sample)
                            .isNull();
                    check(reader, placement, sample);
                }
            }
        }
    }

    @Test
    public void shouldReadTheSameWhenSlotsAreAskedBackwardsAndTwice() {
        for (final FormatSample sample : samples) {
            wrap(reader, Placement.among(sample.message(), 3, 0));
            for (int round = 0; round < 2; round++) {
                for (int slot = fields.count() - 1; slot >= 0; slot--) {
                    checkSlot(reader, slot, sample);
                }
            }
        }
    }

    @Test
    public void shouldForgetTheMessageBeforeWhenWrappedAgain() {
        for (final FormatSample before : samples) {
            for (final FormatSample sample : samples) {
                wrap(reader, Placement.among(before.message(), 1, 0));
                reader.type(fields.count() - 1);
                check(reader, Placement.among(sample.message(), 2, 0), sample);
            }
        }
    }

    @Test
    public void shouldKeepReadersApartWhenTheyTakeTurns() {
        final FieldReader other = format().newReader(fields);
        final FormatSample first = samples.get(0);
        final FormatSample second = samples.get(1);
        wrap(reader, Placement.among(first.message(), 1, 0));
        wrap(other, Placement.among(second.message(), 1, 0));
        for (int slot = 0; slot < fields.count(); slot++) {
            checkSlot(reader, slot, first);
            checkSlot(other, slot, second);
        }
    }

    @Test
    public void shouldSayWhatIsWrongInOneLineWhenRefusing() {
        for (final byte[] message : refusedMessages()) {
            final Placement placement = Placement.among(message, 5, ' ');
            assertThat(validate(placement))
                    .as(Arrays.toString(message))
                    .isNotNull()
                    .startsWith(format().name() + ": ")
                    .matches("[^\\p{Cntrl}]+");
        }
    }

    @Test
    public void shouldGoOnWhenTheMessageBeforeWasRefused() {
        for (final byte[] message : refusedMessages()) {
            for (final FormatSample sample : samples) {
                final Placement refused = Placement.among(message, 0, 0);
                assertThat(validate(refused)).isNotNull();
                values(reader, refused);
                final Placement placement = Placement.among(sample.message(), 0, 0);
                assertThat(validate(placement)).isNull();
                check(reader, placement, sample);
            }
        }
    }

    @Test
    public void shouldRefuseOrNotByItsOwnBytesAloneWhenCutOff() {
        for (final FormatSample sample : samples) {
            for (int length = 0; length < sample.message().length; length++) {
                final byte[] start = Arrays.copyOf(sample.message(), length);
                final String answer = answer(start);
                if (refusesTruncation()) {
                    assertThat(answer).as("%d bytes of %s", length, sample).startsWith("refused");
                }
            }
        }
    }

    @Test
    public void shouldAnswerByItsOwnBytesAloneWhenMutated() {
        final TreeSet<String> answers = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < MUTATIONS_PER_SEED; i++) {
                final FormatSample sample = samples.get(random.nextInt(samples.size()));
                answers.add(answer(mutated(sample.message(), random)));
            }
        }
        assertThat(answers).isNotEmpty();
    }

    @Test
    public void shouldHaveNoFieldsWhenEmpty() {
        for (int offset = 0; offset < OFFSETS; offset++) {
            for (final Placement placement : Placement.everywhere(new byte[0], offset, '1')) {
                wrap(reader, placement);
                for (int slot = 0; slot < fields.count(); slot++) {
                    assertThat(reader.type(slot)).isEqualTo(FieldType.ABSENT);
                }
            }
        }
        answer(new byte[0]);
    }

    @Test
    public void shouldAllocateNothingWhenMessagesAreValid() {
        final List<Placement> placements = new ArrayList<>();
        for (final FormatSample sample : samples) {
            placements.addAll(Placement.everywhere(sample.message(), 1, 0).subList(0, 4));
        }
        long sum = use(placements, WARM_UP_COUNT);

        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long before = threads.getCurrentThreadAllocatedBytes();
        sum += use(placements, MEASURED_COUNT);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat((double) allocated / MEASURED_COUNT)
                .as("bytes a message (%d)", sum)
                .isLessThan(ALLOCATED_PER_MESSAGE_MAX);
    }

    private long use(final List<Placement> placements, final int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            final Placement placement = placements.get(i % placements.size());
            if (validate(placement) == null) {
                wrap(reader, placement);
                for (int slot = 0; slot < fields.count(); slot++) {
                    sum += sum(slot);
                    final int elementCount = reader.type(slot) == FieldType.ARRAY ? reader.elementCount(slot) : 0;
                    for (int element = 0; element < elementCount; element++) {
                        reader.element(slot, element);
                        sum += sum(slot);
                    }
                }
            }
        }
        return sum;
    }

    private long sum(final int slot) {
        return switch (reader.type(slot)) {
            case BOOLEAN -> reader.booleanValue(slot) ? 1 : 0;
            case LONG -> reader.longValue(slot);
            case DOUBLE -> (long) reader.doubleValue(slot);
            case STRING, UNTYPED ->
                reader.stringBuffer(slot).capacity() + reader.stringOffset(slot) + reader.stringLength(slot);
            case ABSENT, NULL, ARRAY, OBJECT -> 0;
        };
    }

    @Test
    public void shouldReadWhatWasWrittenWhenTheFormatHasFields() {
        final MessageWriter writer = format().newWriter();
        if (writer == null) {
            return;
        }
        assertThat(format().hasFields()).as("fields of what has a writer").isTrue();
        final UnsafeBuffer to = new UnsafeBuffer(new byte[EDIT_LENGTH_MAX]);
        final UnsafeBuffer text = new UnsafeBuffer("a \"\u00e9\"\n".getBytes(StandardCharsets.UTF_8));
        final FieldSet written = new FieldSet();
        for (final String name : List.of("none", "yes", "long", "double", "text")) {
            written.slotOf(FieldPath.of(name));
        }
        final FieldReader writtenReader = format().newReader(written);
        writer.wrap(to, 3, to.capacity() - 3);
        writer.putNull("none");
        writer.putBoolean("yes", true);
        writer.putLong("long", Long.MIN_VALUE);
        writer.putDouble("double", 0.1);
        writer.putText("text", text, 0, text.capacity());
        final int length = writer.end();
        assertThat(validator.validate(to, 3, length)).isNull();
        writtenReader.wrap(to, 3, length);
        final List<Object> values = new ArrayList<>();
        for (int slot = 0; slot < written.count(); slot++) {
            values.add(value(writtenReader, slot));
        }
        assertThat(values).containsExactly(FieldType.NULL, true, Long.MIN_VALUE, 0.1, "a \"\u00e9\"\n");
        writer.wrap(to, 0, 1);
        writer.putLong("long", 1);
        assertThat(writer.end()).isEqualTo(MessageEditor.TOO_LONG);
    }

    @Test
    public void shouldBeJsonWhenItIsShownAsJson() {
        final MessageValidator json = MessageFormats.formatFor("json").newValidator();
        for (final FormatSample sample : samples) {
            final Placement placement = Placement.among(sample.message(), 3, '"');
            final String shown = format().toJson(placement.buffer(), placement.offset(), placement.length());
            if (shown != null) {
                final byte[] bytes = shown.getBytes(StandardCharsets.UTF_8);
                assertThat(json.validate(new UnsafeBuffer(bytes), 0, bytes.length))
                        .as("%s of %s", shown, sample)
                        .isNull();
            }
        }
    }

    @Test
    public void shouldHaveAnEditorWhenItSaysWhatOneCanDo() {
        if (format().editorSupport().equals(EditorSupport.NONE)) {
            assertThatThrownBy(() -> format().newEditor()).isInstanceOf(UnsupportedOperationException.class);
        } else {
            assertThat(format().hasFields()).as("fields of what has an editor").isTrue();
            assertThat(format().newEditor()).isNotNull();
        }
    }

    @Test
    public void shouldGiveTheSampleWhenItsDifferencesAreMergedIntoAnother() {
        final EditorSupport support = format().editorSupport();
        if (!support.canDiff() || !support.canMerge()) {
            return;
        }
        final MessageEditor editor = format().newEditor();
        for (final FormatSample old : samples) {
            for (final FormatSample now : samples) {
                for (final Placement placement : Placement.everywhere(now.message(), 3, '"')) {
                    final byte[] diff = edited((to, length) -> diff(editor, old, placement, to, length));
                    final byte[] merged = diff.length == 0 ? old.message() : merged(editor, old.message(), diff);
                    assertThat(merged)
                            .hasSizeLessThanOrEqualTo(old.message().length + diff.length + MessageEditor.LENGTH_MARGIN);
                    checkMerged(merged, old, now);
                }
            }
        }
    }

    @Test
    public void shouldFindNoDifferenceWhenThereIsNone() {
        if (!format().editorSupport().canDiff()) {
            return;
        }
        final MessageEditor editor = format().newEditor();
        for (final FormatSample sample : samples) {
            final Placement placement = Placement.among(sample.message(), 2, 0);
            assertThat(edited((to, length) -> diff(editor, sample, placement, to, length)))
                    .as("%s", sample)
                    .isEmpty();
        }
    }

    @Test
    public void shouldKeepTheSelectedFieldsAlone() {
        if (!format().editorSupport().canSelect()) {
            return;
        }
        final MessageEditor editor = format().newEditor();
        for (final FormatSample sample : samples) {
            final Placement placement = Placement.among(sample.message(), 2, 0);
            for (int slot = 0; slot < fields.count(); slot++) {
                final FieldPath path = fields.path(slot);
                final FieldSelection selected = FieldSelection.of(List.of(path));
                final byte[] part = edited((to, length) -> editor.select(
                        placement.buffer(),
                        placement.offset(),
                        placement.length(),
                        FieldSelection.NONE,
                        selected,
                        false,
                        to,
                        EDIT_OFFSET,
                        length));
                assertThat(part).hasSizeLessThanOrEqualTo(placement.length() + MessageEditor.LENGTH_MARGIN);
                wrap(reader, Placement.among(part, 1, 0));
                assertThat(value(reader, slot)).as("%s of %s", path, sample).isEqualTo(sample.value(path));
                assertThat(reader.type(0)).isEqualTo(FieldType.ABSENT);
            }
        }
    }

    private interface Edit {
        int write(MutableDirectBuffer to, int length);
    }

    private static int diff(
            final MessageEditor editor,
            final FormatSample old,
            final Placement now,
            final MutableDirectBuffer to,
            final int length) {
        final Placement before = Placement.among(old.message(), 1, 0);
        return editor.diff(
                before.buffer(),
                before.offset(),
                before.length(),
                now.buffer(),
                now.offset(),
                now.length(),
                FieldSelection.NONE,
                null,
                false,
                to,
                EDIT_OFFSET,
                length);
    }

    private byte[] merged(final MessageEditor editor, final byte[] message, final byte[] delta) {
        final Placement before = Placement.among(message, 1, '"');
        final Placement change = Placement.among(delta, 2, '"');
        return edited((to, length) -> editor.merge(
                before.buffer(),
                before.offset(),
                before.length(),
                change.buffer(),
                change.offset(),
                change.length(),
                to,
                EDIT_OFFSET,
                length));
    }

    /** What an edit writes: a valid message, or nothing, and nothing outside the bytes it was given. */
    private byte[] edited(final Edit edit) {
        final UnsafeBuffer to = new UnsafeBuffer(new byte[EDIT_LENGTH_MAX]);
        final int length = edit.write(to, EDIT_LENGTH_MAX - EDIT_OFFSET);
        assertThat(length).isNotNegative();
        final byte[] result = new byte[length];
        to.getBytes(EDIT_OFFSET, result);
        if (length > 0) {
            assertThat(validator.validate(to, EDIT_OFFSET, length))
                    .as(Arrays.toString(result))
                    .isNull();
            to.setMemory(0, EDIT_LENGTH_MAX, (byte) '#');
            assertThat(edit.write(to, length - 1)).isEqualTo(MessageEditor.TOO_LONG);
            assertThat(to.getByte(EDIT_OFFSET - 1)).isEqualTo((byte) '#');
            assertThat(to.getByte(EDIT_OFFSET + length - 1)).isEqualTo((byte) '#');
        }
        return result;
    }

    /** Fields are as in the message now; those only in the one before are null, or absent within what is no object now. */
    private void checkMerged(final byte[] merged, final FormatSample old, final FormatSample now) {
        wrap(reader, Placement.among(merged, 0, 0));
        for (int slot = 0; slot < fields.count(); slot++) {
            final FieldPath path = fields.path(slot);
            final Object value = value(reader, slot);
            if (now.value(path) != FieldType.ABSENT) {
                assertThat(value).as("%s of %s merged into %s", path, now, old).isEqualTo(now.value(path));
            } else {
                assertThat(value).as("%s of %s merged into %s", path, now, old).isIn(FieldType.NULL, FieldType.ABSENT);
            }
        }
    }

    private static byte[] mutated(final byte[] message, final SplittableRandom random) {
        final byte[] mutated = Arrays.copyOf(message, message.length + random.nextInt(-1, 2));
        for (int left = random.nextInt(1, 4); left > 0 && mutated.length > 0; left--) {
            final int position = random.nextInt(mutated.length);
            mutated[position] =
                    random.nextBoolean() ? (byte) random.nextInt(256) : mutated[random.nextInt(mutated.length)];
        }
        return mutated;
    }

    /**
     * What the validator says of a message and what a reader finds in it, valid or not, wherever it lies and whatever
     * lies around it.
     */
    private String answer(final byte[] message) {
        final FieldReader fresh = format().newReader(fields);
        String answer = "";
        for (final int surrounding : new int[] {0, '"', '0', '}', 0xFF}) {
            final Placement placement = Placement.among(message, surrounding % OFFSETS, surrounding);
            final String mistake = validate(placement);
            final String found =
                    (mistake == null ? "accepted " : "refused: " + mistake + ' ') + values(fresh, placement);
            assertThat(answer.isEmpty() ? found : answer)
                    .as("%s: %s", placement, Arrays.toString(message))
                    .isEqualTo(found);
            answer = found;
        }
        return answer;
    }

    private @Nullable String validate(final Placement placement) {
        return validator.validate(placement.buffer(), placement.offset(), placement.length());
    }

    private static void wrap(final FieldReader reader, final Placement placement) {
        reader.wrap(placement.buffer(), placement.offset(), placement.length());
    }

    private void check(final FieldReader checked, final Placement placement, final FormatSample sample) {
        wrap(checked, placement);
        for (int slot = 0; slot < fields.count(); slot++) {
            checkSlot(checked, slot, sample);
        }
    }

    private void checkSlot(final FieldReader checked, final int slot, final FormatSample sample) {
        assertThat(value(checked, slot))
                .as("%s: %s", fields.path(slot), sample)
                .isEqualTo(sample.value(fields.path(slot)));
    }

    private List<Object> values(final FieldReader read, final Placement placement) {
        wrap(read, placement);
        final List<Object> values = new ArrayList<>();
        for (int slot = 0; slot < fields.count(); slot++) {
            values.add(value(read, slot));
        }
        return values;
    }

    private static Object value(final FieldReader read, final int slot) {
        return switch (read.type(slot)) {
            case BOOLEAN -> read.booleanValue(slot);
            case LONG -> read.longValue(slot);
            case DOUBLE -> read.doubleValue(slot);
            case STRING, UNTYPED ->
                read.stringBuffer(slot).getStringWithoutLengthUtf8(read.stringOffset(slot), read.stringLength(slot));
            case ARRAY -> elements(read, slot);
            case ABSENT -> FieldType.ABSENT;
            case NULL -> FieldType.NULL;
            case OBJECT -> FieldType.OBJECT;
        };
    }

    private static List<Object> elements(final FieldReader read, final int slot) {
        final List<Object> elements = new ArrayList<>();
        final int count = read.elementCount(slot);
        for (int i = 0; i < count; i++) {
            read.element(slot, i);
            elements.add(value(read, slot));
        }
        read.element(slot, -1);
        return elements;
    }
}
