package io.penstock.broker.security.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.event.EventText;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An entry as it stands in a file, without the line break: an object of JSON whose last members are the hash of the entry
 * before it, and its own. That is SHA-256 over the bytes of the line up to the comma before {@code "hash"}.
 *
 * @param sequence of the entry.
 * @param kind     its label.
 * @param count    of what it is about.
 * @param previous hash of the entry before it.
 * @param hash     of the entry.
 */
record AuditLine(long sequence, String kind, long count, String previous, String hash) {
    /** In place of the hash before the very first entry. */
    static final String NO_HASH = "0".repeat(64);

    /** Longest line in bytes: more than an entry with the longest texts, all of them escaped. */
    static final int LENGTH_MAX = 64 * 1024;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);
    private static final Pattern BEGINNING = Pattern.compile("\\{\"seq\":(\\d{1,18}),\"time\":\"[0-9TZ:.+-]{20,40}\","
            + "\"kind\":\"([A-Za-z]{1,32})\",\"outcome\":\"(?:ok|refused)\",\"count\":(\\d{1,18})[,}].*");
    private static final String PREVIOUS = ",\"prev\":\"";
    private static final String HASH = ",\"hash\":\"";
    private static final String END = "\"}";
    private static final int HASH_LENGTH = 64;
    private static final int HASH_MEMBER_LENGTH = HASH.length() + HASH_LENGTH + END.length();
    private static final int PREVIOUS_MEMBER_LENGTH = PREVIOUS.length() + HASH_LENGTH + 1;

    /** The text of an entry, whose last member is its hash. */
    static String text(final AuditEntry entry, final long sequence, final String previous) {
        final StringBuilder text = new StringBuilder(512)
                .append("{\"seq\":")
                .append(sequence)
                .append(",\"time\":\"")
                .append(TIME.format(Instant.ofEpochMilli(entry.timeMs())))
                .append("\",\"kind\":\"")
                .append(entry.kind().label())
                .append("\",\"outcome\":\"")
                .append(entry.isRefused() ? "refused" : "ok")
                .append("\",\"count\":")
                .append(Math.max(0, entry.count()));
        member(text, "user", entry.client().user());
        member(text, "client", entry.client().name());
        member(text, "peer", entry.client().peer());
        member(text, "what", entry.what());
        member(text, "reason", entry.reason());
        text.append(PREVIOUS).append(previous).append('"');
        final String hash = hash(text.toString().getBytes(UTF_8));
        return text.append(HASH).append(hash).append(END).toString();
    }

    private static void member(final StringBuilder text, final String name, final String value) {
        if (!value.isEmpty()) {
            text.append(",\"").append(name).append("\":");
            EventText.appendQuoted(text, value);
        }
    }

    /** Reads a line; null when it is none, or is not as it was written. */
    static @Nullable AuditLine parse(final byte[] bytes) {
        if (bytes.length < HASH_MEMBER_LENGTH + PREVIOUS_MEMBER_LENGTH) {
            return null;
        }
        final int hashed = bytes.length - HASH_MEMBER_LENGTH;
        final String member = new String(bytes, hashed, HASH_MEMBER_LENGTH, UTF_8);
        final String previous = new String(bytes, hashed - PREVIOUS_MEMBER_LENGTH, PREVIOUS_MEMBER_LENGTH, UTF_8);
        if (!member.startsWith(HASH) || !member.endsWith(END) || !previous.startsWith(PREVIOUS)) {
            return null;
        }
        final byte[] content = new byte[hashed];
        System.arraycopy(bytes, 0, content, 0, hashed);
        final String hash = member.substring(HASH.length(), HASH.length() + HASH_LENGTH);
        final Matcher beginning = BEGINNING.matcher(new String(content, UTF_8));
        return hash.equals(hash(content)) && beginning.matches()
                ? new AuditLine(
                        Long.parseLong(beginning.group(1)),
                        beginning.group(2),
                        Long.parseLong(beginning.group(3)),
                        previous.substring(PREVIOUS.length(), PREVIOUS.length() + HASH_LENGTH),
                        hash)
                : null;
    }

    /** Whether it is about what precedes it in the file before. */
    boolean isTorn() {
        return kind.equals(AuditKind.TORN.label());
    }

    private static String hash(final byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("audit: every JDK has SHA-256", e);
        }
    }
}
