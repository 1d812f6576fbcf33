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
 *   TLS:       what it takes (2) | what it asks for (2) | port (2)
 * </pre>
 *
 * @param typeId of its interface, for example {@code IDL:Penstock/PenstockBroker:1.0}; may be empty.
 * @param minor  version of IIOP.
 * @param host   name or address.
 * @param port   1 to 65535.
 * @param key    of the object, each byte a character.
 * @param isUtf8 whether it says that strings may be UTF-8.
 * @param secure how it is reached by TLS; null when it is not. The other port is 0 when it is not reached without.
 */
public record Ior(
        String typeId, int minor, String host, int port, String key, boolean isUtf8, @Nullable Secure secure) {
    private static final String PREFIX = "IOR:";
    private static final int TAG_IIOP = 0;
    private static final int TAG_CODE_SETS = 1;

    /** Of the Security Service, chapter about SSL. */
    private static final int TAG_SSL_SEC_TRANS = 20;

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
     * How an object is reached by TLS. What it takes and asks for are bits: 1 no protection, 2 integrity, 4 confidentiality,
     * 8 and 16 that replays and changes of order are noticed, 32 that it proves who it is, 64 that its client does.
     *
     * @param supports what it takes.
     * @param requires what it asks for.
     * @param port     1 to 65535.
     */
    public record Secure(int supports, int requires, int port) {
        private static final int NO_PROTECTION = 1;
        private static final int PROTECTED = 2 | 4 | 8 | 16;
        private static final int TARGET_PROVED = 32;
        private static final int CLIENT_PROVED = 64;

        /**
         * What a side that listens takes and asks for.
         *
         * @param port           of it.
         * @param isRequired     whether it is not reached without TLS.
         * @param isClientProved whether a client has to have a certificate.
         * @return the component.
         */
        public static Secure of(final int port, final boolean isRequired, final boolean isClientProved) {
            return new Secure(
                    PROTECTED | TARGET_PROVED | CLIENT_PROVED | (isRequired ? 0 : NO_PROTECTION),
                    (isRequired ? PROTECTED : NO_PROTECTION) | (isRequired && isClientProved ? CLIENT_PROVED : 0),
                    port);
        }
    }

    /**
     * A reference to an object that is not reached by TLS.
     *
     * @param typeId of its interface; may be empty.
     * @param minor  version of IIOP.
     * @param host   name or address.
     * @param port   1 to 65535.
     * @param key    of the object, each byte a character.
     * @param isUtf8 whether it says that strings may be UTF-8.
     */
    public Ior(
            final String typeId,
            final int minor,
            final String host,
            final int port,
            final String key,
            final boolean isUtf8) {
        this(typeId, minor, host, port, key, isUtf8, null);
    }

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
        boolean isUtf8 = false;
        Secure secure = null;
        final int count = minor > 0 ? in.count(PROFILE_LENGTH_MIN) : 0;
        for (int i = 0; i < count; i++) {
            final int tag = in.readInt();
            final ByteBuf component = in.octetsInPlace();
            if (tag == TAG_CODE_SETS) {
                isUtf8 = takesUtf8(CdrReader.encapsulation(component));
            } else if (tag == TAG_SSL_SEC_TRANS) {
                final CdrReader ssl = CdrReader.encapsulation(component);
                secure = new Secure(ssl.readUnsignedShort(), ssl.readUnsignedShort(), ssl.readUnsignedShort());
            }
        }
        return new Ior(
                typeId,
                Math.min(minor, MessageHeader.MINOR_MAX),
                host,
                port,
                key.toString(StandardCharsets.ISO_8859_1),
                isUtf8,
                secure);
    }

    private static void checkLength(final String part, final int length) throws SystemException {
        if (length > PART_LENGTH_MAX) {
            throw SystemException.marshal("a reference with too long a " + part + ": " + length + " bytes (use at most "
                    + PART_LENGTH_MAX + ")");
        }
    }

    private static boolean takesUtf8(final CdrReader codeSets) throws SystemException {
        boolean isTaken = codeSets.readInt() == CodeSets.UTF_8;
        final int others = codeSets.count(Integer.BYTES);
        for (int other = 0; other < others; other++) {
            isTaken |= codeSets.readInt() == CodeSets.UTF_8;
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
            profile.writeInt(secure == null ? 1 : 2);
            profile.writeInt(TAG_CODE_SETS);
            final CdrWriter codeSets = CdrWriter.encapsulation(out.isLittleEndian());
            codeSets.writeInt(CodeSets.UTF_8);
            codeSets.writeInt(1);
            codeSets.writeInt(CodeSets.ISO_8859_1);
            codeSets.writeInt(CodeSets.UTF_16);
            codeSets.writeInt(0);
            profile.octets(codeSets);
            if (secure != null) {
                profile.writeInt(TAG_SSL_SEC_TRANS);
                final CdrWriter ssl = CdrWriter.encapsulation(out.isLittleEndian());
                ssl.writeShort(secure.supports());
                ssl.writeShort(secure.requires());
                ssl.writeShort(secure.port());
                profile.octets(ssl);
            }
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
