package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The object and the operation of a request.
 *
 * <pre>
 *   1.0, 1.1: contexts | id | is a reply expected (1) | 1.1: reserved (3) | key | operation | principal
 *   1.2:      id | response flags (1) | reserved (3) | target | operation | contexts | padding to 8
 * </pre>
 *
 * @param id              of the request, on its connection.
 * @param isReplyExpected whether its caller waits.
 * @param key             of the object, each byte a character.
 * @param operation       its name.
 * @param codeSet         for characters on this connection from now on; 0 = as before.
 */
public record RequestHeader(int id, boolean isReplyExpected, String key, String operation, int codeSet) {
    private static final int CONTEXT_CODE_SETS = 1;
    private static final int CONTEXT_LENGTH_MIN = 8;
    private static final int RESERVED_LENGTH = 3;
    private static final int REPLY_EXPECTED = 1;
    private static final int REPLY_EXPECTED_WITH_DATA = 3;

    private static final int TARGET_KEY = 0;
    private static final int TARGET_PROFILE = 1;
    private static final int TARGET_REFERENCE = 2;

    /**
     * Reads one, up to where the data begins.
     *
     * @param in    at the begin of the message's data.
     * @param minor version.
     * @return the header.
     * @throws SystemException when it cannot be read.
     */
    public static RequestHeader read(final CdrReader in, final int minor) throws SystemException {
        if (minor >= 2) {
            final int id = in.readInt();
            final boolean isReplyExpected = (in.readOctet() & REPLY_EXPECTED) != 0;
            skipReserved(in);
            final String key = target(in);
            final String operation = in.string();
            final int codeSet = contexts(in);
            in.toBody();
            return new RequestHeader(id, isReplyExpected, key, operation, codeSet);
        }
        final int codeSet = contexts(in);
        final int id = in.readInt();
        final boolean isReplyExpected = in.readBoolean();
        if (minor == 1) {
            skipReserved(in);
        }
        final String key = key(in.octetsInPlace());
        final String operation = in.string();
        // The principal, which nobody uses.
        in.octetsInPlace();
        return new RequestHeader(id, isReplyExpected, key, operation, codeSet);
    }

    /**
     * Reads the header of a request to locate an object, which has no operation.
     *
     * @param in    at the begin of the message's data.
     * @param minor version.
     * @return the header.
     * @throws SystemException when it cannot be read.
     */
    public static RequestHeader readLocate(final CdrReader in, final int minor) throws SystemException {
        final int id = in.readInt();
        return new RequestHeader(id, true, minor >= 2 ? target(in) : key(in.octetsInPlace()), "", 0);
    }

    private static void skipReserved(final CdrReader in) throws SystemException {
        for (int i = 0; i < RESERVED_LENGTH; i++) {
            in.readOctet();
        }
    }

    private static String key(final ByteBuf bytes) {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    private static String target(final CdrReader in) throws SystemException {
        final int kind = in.readUnsignedShort();
        switch (kind) {
            case TARGET_KEY -> {
                return key(in.octetsInPlace());
            }
            case TARGET_PROFILE -> {
                final String key = Ior.key(in.readInt(), in.octetsInPlace());
                return orElseEmpty(key);
            }
            case TARGET_REFERENCE -> {
                final int index = in.readInt();
                return orElseEmpty(Ior.key(in, index));
            }
            default -> throw SystemException.marshal("no such way to name a target: " + kind);
        }
    }

    private static String orElseEmpty(final @Nullable String key) {
        return key == null ? "" : key;
    }

    /** Returns the code set for characters; 0 when none is named. */
    static int contexts(final CdrReader in) throws SystemException {
        int codeSet = 0;
        final int count = in.count(CONTEXT_LENGTH_MIN);
        for (int i = 0; i < count; i++) {
            final int id = in.readInt();
            final ByteBuf data = in.octetsInPlace();
            if (id == CONTEXT_CODE_SETS) {
                codeSet = CdrReader.encapsulation(data).readInt();
            }
        }
        return codeSet;
    }

    /**
     * Writes one, up to where the data begins.
     *
     * @param out     at the begin of the message's data.
     * @param minor   version.
     * @param hasData whether data follows.
     */
    public void write(final CdrWriter out, final int minor, final boolean hasData) {
        if (minor >= 2) {
            out.writeInt(id);
            out.writeOctet(isReplyExpected ? REPLY_EXPECTED_WITH_DATA : 0);
            writeReserved(out);
            out.writeShort(TARGET_KEY);
            out.octets(key.getBytes(StandardCharsets.ISO_8859_1));
            out.text(operation);
            writeContexts(out);
            if (hasData) {
                out.toBody();
            }
            return;
        }
        writeContexts(out);
        out.writeInt(id);
        out.writeBoolean(isReplyExpected);
        if (minor == 1) {
            writeReserved(out);
        }
        out.octets(key.getBytes(StandardCharsets.ISO_8859_1));
        out.text(operation);
        out.writeInt(0);
    }

    private static void writeReserved(final CdrWriter out) {
        for (int i = 0; i < RESERVED_LENGTH; i++) {
            out.writeOctet(0);
        }
    }

    private void writeContexts(final CdrWriter out) {
        out.writeInt(codeSet == 0 ? 0 : 1);
        if (codeSet != 0) {
            out.writeInt(CONTEXT_CODE_SETS);
            final CdrWriter context = CdrWriter.encapsulation(out.isLittleEndian());
            context.writeInt(codeSet);
            context.writeInt(CodeSets.UTF_16);
            out.octets(context);
        }
    }

    /**
     * Writes the header of a request to locate an object.
     *
     * @param out   at the begin of the message's data.
     * @param minor version.
     */
    public void writeLocate(final CdrWriter out, final int minor) {
        out.writeInt(id);
        if (minor >= 2) {
            out.writeShort(TARGET_KEY);
        }
        out.octets(key.getBytes(StandardCharsets.ISO_8859_1));
    }
}
