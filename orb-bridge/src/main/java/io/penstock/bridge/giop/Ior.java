package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an object that is reached by IIOP; of one that has several profiles, the first for IIOP.
 *
 * <pre>
 *   reference: type (string) | count of profiles | for each: tag | octets
 *   IIOP:      byte order (1) | 1 (1) | minor (1) | host (string) | port (2) | key (octets) | 1.1: components
 *   component: tag | octets
 * </pre>
 *
 * @param typeId of its interface, for example {@code IDL:Penstock/PenstockBroker:1.0}; may be empty.
 * @param minor  version of IIOP.
 * @param host   name or address.
 * @param port   1 to 65535.
 * @param key    of the object, each byte a character.
 * @param isUtf8 whether it says that strings may be UTF-8.
 */
public record Ior(String typeId, int minor, String host, int port, String key, boolean isUtf8) {
    private static final String PREFIX = "IOR:";
    private static final int TAG_IIOP = 0;
    private static final int TAG_CODE_SETS = 1;
    private static final int PROFILE_LENGTH_MIN = 8;
    private static final int PORT_MAX = 65_535;
    private static final int PORT_DEFAULT = 2809;
    private static final int TEXT_LENGTH_MAX = 64 * 1024;

    /** Longest type, host or key of a received reference: it is kept for as long as it is called. */
    private static final int PART_LENGTH_MAX = 4 * 1024;

    private static final Pattern CORBALOC = Pattern.compile(
            "corbaloc:(?:iiop)?:(?:1\\.([0-9])@)?(\\[[^\\]]+\\]|[^:/,\\[]+)(?::([0-9]{1,5}))?(?:,[^/]*)?/(.+)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern ESCAPE = Pattern.compile("%([0-9a-fA-F]{2})");

    /**
     * Reads one.
     *
     * @param in at its begin.
     * @return null when it refers to nothing.
     * @throws SystemException when it cannot be read, or cannot be reached by IIOP.
     */
    public static @Nullable Ior read(final CdrReader in) throws SystemException {
        final String typeId = in.string();
        checkLength("type", typeId.length());
        final int count = in.count(PROFILE_LENGTH_MIN);
        Ior found = null;
        for (int i = 0; i < count; i++) {
            final int tag = in.readInt();
            final ByteBuf data = in.octetsInPlace();
            if (tag == TAG_IIOP && found == null) {
                found = profile(typeId, data);
            }
        }
        if (found == null && (count > 0 || !typeId.isEmpty())) {
            throw SystemException.marshal("a reference without a profile for IIOP");
        }
        return found;
    }

    private static Ior profile(final String typeId, final ByteBuf data) throws SystemException {
        final CdrReader in = CdrReader.encapsulation(data);
        final int major = in.readOctet();
        final int minor = in.readOctet();
        if (major != 1 || minor < 0) {
            throw SystemException.marshal("no such version of IIOP: " + major + "." + minor);
        }
        final String host = in.string();
        checkLength("host", host.length());
        final int port = in.readUnsignedShort();
        final ByteBuf key = in.octetsInPlace();
        checkLength("key", key.readableBytes());
        final boolean isUtf8 = minor > 0 && takesUtf8(in);
        return new Ior(
                typeId,
                Math.min(minor, MessageHeader.MINOR_MAX),
                host,
                port,
                key.toString(StandardCharsets.ISO_8859_1),
                isUtf8);
    }

    private static void checkLength(final String part, final int length) throws SystemException {
        if (length > PART_LENGTH_MAX) {
            throw SystemException.marshal("a reference with too long a " + part + ": " + length + " bytes (use at most "
                    + PART_LENGTH_MAX + ")");
        }
    }

    private static boolean takesUtf8(final CdrReader in) throws SystemException {
        boolean isTaken = false;
        final int count = in.count(PROFILE_LENGTH_MIN);
        for (int i = 0; i < count; i++) {
            final int tag = in.readInt();
            final ByteBuf data = in.octetsInPlace();
            if (tag == TAG_CODE_SETS) {
                final CdrReader codeSets = CdrReader.encapsulation(data);
                isTaken = codeSets.readInt() == CodeSets.UTF_8;
                final int others = codeSets.count(Integer.BYTES);
                for (int other = 0; other < others; other++) {
                    isTaken |= codeSets.readInt() == CodeSets.UTF_8;
                }
            }
        }
        return isTaken;
    }

    /** The key in a profile; null when it is not one for IIOP. */
    static @Nullable String key(final int tag, final ByteBuf data) throws SystemException {
        return tag == TAG_IIOP ? profile("", data).key() : null;
    }

    /** The key in one of the profiles of a reference; null when that is not there, or not one for IIOP. */
    static @Nullable String key(final CdrReader in, final int index) throws SystemException {
        in.string();
        final int count = in.count(PROFILE_LENGTH_MIN);
        String key = null;
        for (int i = 0; i < count; i++) {
            final int tag = in.readInt();
            final ByteBuf data = in.octetsInPlace();
            if (i == index) {
                key = key(tag, data);
            }
        }
        return key;
    }

    /**
     * Writes it, and that strings may be UTF-8 or ISO 8859-1.
     *
     * @param out where to.
     */
    public void write(final CdrWriter out) {
        out.text(typeId);
        out.writeInt(1);
        out.writeInt(TAG_IIOP);
        final CdrWriter profile = CdrWriter.encapsulation(out.isLittleEndian());
        profile.writeOctet(1);
        profile.writeOctet(minor);
        profile.text(host);
        profile.writeShort(port);
        profile.octets(key.getBytes(StandardCharsets.ISO_8859_1));
        if (minor >= 1) {
            profile.writeInt(1);
            profile.writeInt(TAG_CODE_SETS);
            final CdrWriter codeSets = CdrWriter.encapsulation(out.isLittleEndian());
            codeSets.writeInt(CodeSets.UTF_8);
            codeSets.writeInt(1);
            codeSets.writeInt(CodeSets.ISO_8859_1);
            codeSets.writeInt(CodeSets.UTF_16);
            codeSets.writeInt(0);
            profile.octets(codeSets);
        }
        out.octets(profile);
    }

    /**
     * Writes a reference to nothing.
     *
     * @param out where to.
     */
    public static void writeNothing(final CdrWriter out) {
        out.text("");
        out.writeInt(0);
    }

    /**
     * As text.
     *
     * @return {@code IOR:} and digits.
     */
    public String text() {
        final CdrWriter out = CdrWriter.encapsulation(false);
        write(out);
        return PREFIX + HexFormat.of().formatHex(out.toBytes());
    }

    /**
     * Reads text: {@code IOR:…} or {@code corbaloc:iiop:1.2@host:port/key}, of which the first address counts.
     *
     * @param text the text.
     * @return the reference.
     * @throws IllegalArgumentException when it is neither.
     */
    public static Ior parse(final String text) {
        final Matcher matcher = CORBALOC.matcher(text);
        if (matcher.matches()) {
            final String version = matcher.group(1);
            final String port = matcher.group(3);
            final int portNumber = port == null ? PORT_DEFAULT : Integer.parseInt(port);
            if (portNumber >= 1 && portNumber <= PORT_MAX) {
                return new Ior(
                        "",
                        version == null ? 0 : Math.min(MessageHeader.MINOR_MAX, Integer.parseInt(version)),
                        matcher.group(2).replaceAll("[\\[\\]]", ""),
                        portNumber,
                        unescaped(matcher.group(4)),
                        false);
            }
        } else if (text.regionMatches(true, 0, PREFIX, 0, PREFIX.length()) && text.length() <= TEXT_LENGTH_MAX) {
            final Ior read = digits(text.substring(PREFIX.length()).strip());
            if (read != null) {
                return read;
            }
        }
        throw new IllegalArgumentException("no reference to an object: " + text
                + " (use corbaloc:iiop:1.2@host:port/key, or IOR: and its digits)");
    }

    private static String unescaped(final String key) {
        return ESCAPE.matcher(key)
                .replaceAll(escape ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
    }

    private static @Nullable Ior digits(final String digits) {
        try {
            return read(CdrReader.encapsulation(
                    Unpooled.wrappedBuffer(HexFormat.of().parseHex(digits))));
        } catch (final SystemException | IllegalArgumentException e) {
            return null;
        }
    }
}
