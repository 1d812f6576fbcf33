package io.penstock.protocol.scram;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/** Internal: texts of peers. */
public final class Utf8 {
    private Utf8() {}

    /**
     * Reads a text.
     *
     * @param bytes of it.
     * @return null when they are not UTF-8.
     */
    public static @Nullable String decode(final byte[] bytes) {
        try {
            return UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (final CharacterCodingException e) {
            return null;
        }
    }
}
