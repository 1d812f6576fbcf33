package io.penstock.format;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keys of messages as the texts by which commands name them: messages of the same format with nothing but the fields that
 * are the key. Equal keys have equal texts. Confined to one thread at a time.
 */
public final class KeyTexts {
    private final MessageFormat format;
    private final FieldSet fields = new FieldSet();
    private final FieldReader reader;

    /**
     * Prepares to read keys.
     *
     * @param format of the messages.
     * @param key    fields and headers that are the key; none for a key that there is once.
     */
    public KeyTexts(final MessageFormat format, final FieldSelection key) {
        this.format = format;
        key.paths().forEach(fields::slotOf);
        reader = RecordReader.of(format, fields);
    }

    /**
     * Reads the key of a message.
     *
     * @param buffer        holding the message, and its headers after it.
     * @param offset        of the message.
     * @param length        of the message in bytes.
     * @param headersLength of the headers in bytes; 0 for none.
     * @return the text, in which a header is a member that is named as filters write it, {@code HEADER('region')}; null
     *     when a field of the key is missing, or messages of the format are not written field by field.
     */
    public @Nullable String read(
            final DirectBuffer buffer, final int offset, final int length, final int headersLength) {
        reader.headers(buffer, offset + length, headersLength);
        reader.wrap(buffer, offset, length);
        return format.write(fields, reader);
    }
}
