package io.penstock.format.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.EditorSupport;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldType;
import io.penstock.format.MessageEditor;
import java.util.Arrays;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What the editors of every format must pass that has one: differences, merges and selections of the samples. */
public abstract class MessageEditorTck extends FormatKit {
    private static final int EDIT_OFFSET = 5;
    private static final int EDIT_LENGTH_MAX = 8192;

    protected MessageEditorTck(final TestedFormat tested) {
        super(tested);
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

    @Test
    public void shouldLeaveOutWhatIsCut() {
        if (!format().editorSupport().canCut()) {
            return;
        }
        final MessageEditor editor = format().newEditor();
        for (final FormatSample sample : samples) {
            final Placement placement = Placement.among(sample.message(), 2, 0);
            for (int slot = 0; slot < fields.count(); slot++) {
                final FieldSelection cut = FieldSelection.of(List.of(fields.path(slot)));
                final byte[] rest = edited((to, length) -> editor.cut(
                        placement.buffer(),
                        placement.offset(),
                        placement.length(),
                        cut,
                        to,
                        EDIT_OFFSET,
                        length));
                assertThat(rest).hasSizeLessThanOrEqualTo(placement.length());
                final Placement left = Placement.among(rest, 1, '"');
                assertThat(validate(left)).as("%s without %s", sample, cut).isNull();
                wrap(reader, left);
                for (int other = 0; other < fields.count(); other++) {
                    if (!cut.touches(fields.path(other))) {
                        assertThat(value(reader, other))
                                .as("%s of %s without %s", fields.path(other), sample, cut)
                                .isEqualTo(sample.value(fields.path(other)));
                    }
                }
                assertThat(value(reader, slot)).as("%s of %s", cut, sample).isEqualTo(FieldType.ABSENT);
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
}
