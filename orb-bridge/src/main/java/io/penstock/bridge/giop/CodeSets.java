package io.penstock.bridge.giop;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The numbers of code sets, in the registry of the Open Software Foundation. */
public final class CodeSets {
    public static final int UTF_8 = 0x05010001;
    public static final int ISO_8859_1 = 0x00010001;
    public static final int UTF_16 = 0x00010109;

    private CodeSets() {}

    /**
     * The charset of a code set for characters.
     *
     * @param codeSet the number.
     * @return null when it is not known.
     */
    public static @Nullable Charset charset(final int codeSet) {
        return switch (codeSet) {
            case UTF_8 -> StandardCharsets.UTF_8;
            case ISO_8859_1 -> StandardCharsets.ISO_8859_1;
            default -> null;
        };
    }
}
