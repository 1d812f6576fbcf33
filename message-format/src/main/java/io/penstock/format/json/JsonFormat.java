package io.penstock.format.json;

import io.penstock.format.EditorSupport;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.GrowableReader;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageValidator;
import io.penstock.format.MessageWriter;
import io.penstock.format.UniqueFields;
import io.penstock.format.ValidatingReader;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * JSON as RFC 8259 has it, in strict UTF-8: any value at the top, nested no deeper than {@link #DEPTH_MAX} levels, numbers
 * no longer than {@link #NUMBER_LENGTH_MAX} bytes, no byte order mark.
 */
public final class JsonFormat implements MessageFormat {
    /** The deepest nesting of objects and arrays that a message may have, in levels. */
    public static final int DEPTH_MAX = 64;

    /** The longest number that a message may have, in bytes. */
    public static final int NUMBER_LENGTH_MAX = 512;

    /** Made by {@link java.util.ServiceLoader}. */
    public JsonFormat() {}

    @Override
    public String name() {
        return "json";
    }

    @Override
    public MessageValidator newValidator() {
        return new JsonValidator();
    }

    @Override
    public FieldReader newReader(final FieldSet fields) {
        return new JsonFieldReader(fields);
    }

    @Override
    public GrowableReader newReader() {
        return new JsonFieldReader(new FieldSet());
    }

    @Override
    public UniqueFields newUniqueFields(final FieldSet fields) {
        return new JsonUniqueFields(fields);
    }

    @Override
    public ValidatingReader newValidatingReader(final FieldSet fields, final int uniqueCount) {
        return new JsonValidatingReader(fields, uniqueCount);
    }

    @Override
    public boolean hasFields() {
        return true;
    }

    @Override
    public EditorSupport editorSupport() {
        return EditorSupport.ALL;
    }

    @Override
    public MessageEditor newEditor() {
        return new JsonEditor();
    }

    @Override
    public MessageWriter newWriter() {
        return new JsonWriter();
    }

    @Override
    public @Nullable String write(final FieldSet fields, final FieldReader values) {
        return JsonFieldsText.write(fields, values);
    }

    /** The message itself, on as many lines as it has. */
    @Override
    public String toJson(final DirectBuffer message, final int offset, final int length) {
        return message.getStringWithoutLengthUtf8(offset, length);
    }
}
