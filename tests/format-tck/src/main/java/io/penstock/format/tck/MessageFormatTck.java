package io.penstock.format.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.format.EditorSupport;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormats;
import io.penstock.format.MessageValidator;
import io.penstock.format.MessageWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What every format must pass of itself: its name, what it says it can do, what it writes and shows. */
public abstract class MessageFormatTck extends FormatKit {
    private static final int WRITTEN_LENGTH_MAX = 8192;

    protected MessageFormatTck(final TestedFormat tested) {
        super(tested);
    }

    @Test
    public void shouldBeFoundByItsName() {
        assertThat(MessageFormats.formatFor(format().name())).hasSameClassAs(format());
        assertThat(format().name()).matches("[a-z][a-z0-9-]*");
    }

    @Test
    public void shouldReadWhatWasWrittenWhenTheFormatHasFields() {
        final MessageWriter writer = format().newWriter();
        if (writer == null) {
            return;
        }
        assertThat(format().hasFields()).as("fields of what has a writer").isTrue();
        final UnsafeBuffer to = new UnsafeBuffer(new byte[WRITTEN_LENGTH_MAX]);
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
}
