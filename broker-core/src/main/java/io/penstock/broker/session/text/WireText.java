package io.penstock.broker.session.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Texts as clients have sent them. The bytes say whether a text is UTF-8: U+FFFD, which lenient decoders put in place of bytes
 * that are not, is a character that clients may send. Used on any thread.
 */
public final class WireText {
    private static final char REPLACEMENT = '\uFFFD';

    /** Stands at the end, for the first bytes that are not UTF-8: half of a surrogate pair, which no UTF-8 is decoded to. */
    private static final char MARK = '\uD800';

    private WireText() {}

    /**
     * Reads a text of a command.
     *
     * @param wrap lays a buffer over the text's bytes, and goes on to the next text.
     * @return the text; of one that is not UTF-8 what comes before the first such bytes, and a mark.
     */
    public static String of(final Consumer<DirectBuffer> wrap) {
        final UnsafeBuffer view = new UnsafeBuffer();
        wrap.accept(view);
        if (view.capacity() == 0) {
            return "";
        }
        final byte[] bytes = new byte[view.capacity()];
        view.getBytes(0, bytes);
        final String text = new String(bytes, UTF_8);
        return text.indexOf(REPLACEMENT) < 0 ? text : strict(bytes);
    }

    /** Where the first bytes of a text are that are not UTF-8, in characters; negative when it is UTF-8. */
    static int indexOfBad(final String text) {
        final int last = text.length() - 1;
        return last >= 0 && text.charAt(last) == MARK ? last : -1;
    }

    private static String strict(final byte[] bytes) {
        final CharsetDecoder decoder = UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        // No text has more UTF-16 units than bytes.
        final CharBuffer text = CharBuffer.allocate(bytes.length + 1);
        final boolean isBad = decoder.decode(ByteBuffer.wrap(bytes), text, true).isError();
        if (isBad) {
            text.put(MARK);
        }
        return text.flip().toString();
    }
}
