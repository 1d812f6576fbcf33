package io.penstock.broker.security.user;

import io.penstock.broker.security.Principal;
import io.penstock.protocol.scram.PreparedText;
import io.penstock.protocol.scram.ScramVerifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A user. Immutable.
 *
 * @param name         unique.
 * @param isDisabled   whether it may not log on for now.
 * @param roles        that it has, by name.
 * @param attributes   by name, for filters of permissions.
 * @param verifier     of its password; null when it has none.
 * @param certificates by which it is known: {@code CN=ann,O=Example}, {@code dns:ann.example.com}, {@code
 *                     email:ann@example.com} or {@code uri:spiffe://example.com/ann}.
 * @param uids         of the system's users whose processes it is known by.
 */
public record User(
        String name,
        boolean isDisabled,
        Set<String> roles,
        Map<String, String> attributes,
        @Nullable ScramVerifier verifier,
        List<String> certificates,
        Set<Integer> uids) {
    private static final int NAME_LENGTH_MAX = 128;
    private static final int COUNT_MAX = 256;

    public User {
        roles = Set.copyOf(roles);
        attributes = Map.copyOf(attributes);
        certificates = List.copyOf(certificates);
        uids = Set.copyOf(uids);
        checkName("user", name);
        if (name.equals(Principal.ANONYMOUS.name())) {
            throw new IllegalArgumentException(
                    "user: " + name + ": clients without a user are called so (choose" + " another name)");
        }
        roles.forEach(role -> checkName("role", role));
        attributes.keySet().forEach(each -> checkName("attribute", each));
        if (roles.size() > COUNT_MAX
                || attributes.size() > COUNT_MAX
                || certificates.size() > COUNT_MAX
                || uids.size() > COUNT_MAX) {
            throw new IllegalArgumentException("user: " + name + ": more than " + COUNT_MAX
                    + " roles, attributes, certificates or uids (have fewer)");
        }
        attributes.forEach((key, value) -> {
            if (value.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("user: " + name + ": attribute " + key
                        + ": a line break or another control character (use printable ones)");
            }
        });
        certificates.forEach(PeerNames::check);
        uids.forEach(uid -> {
            if (uid < 0) {
                throw new IllegalArgumentException("user: " + name + ": uid below 0: " + uid + " (see 'id -u')");
            }
        });
    }

    /**
     * A user that cannot log on yet.
     *
     * @param name of it.
     * @return without roles, password and all.
     */
    public static User named(final String name) {
        return new User(name, false, Set.of(), Map.of(), null, List.of(), Set.of());
    }

    private static void checkName(final String what, final String name) {
        final boolean isWrong = name.isEmpty()
                || name.length() > NAME_LENGTH_MAX
                || !name.equals(PreparedText.of(name))
                || name.codePoints()
                        .anyMatch(c -> Character.isWhitespace(c)
                                || Character.isSpaceChar(c)
                                || c == ','
                                || c == '='
                                || c == '"'
                                || c == ':'
                                || c == '#');
        if (isWrong) {
            throw new IllegalArgumentException(what + ": not a name: '" + shown(name) + "' (use 1 to " + NAME_LENGTH_MAX
                    + " characters without spaces and without , = : \" #)");
        }
    }

    /** What a terminal can show: nobody knows where a bad name comes from. */
    private static String shown(final String name) {
        final String start = name.length() > NAME_LENGTH_MAX ? name.substring(0, NAME_LENGTH_MAX) + "…" : name;
        return start.replaceAll("\\p{Cntrl}", "?");
    }

    /** What it is to the broker. */
    public Principal principal() {
        return new Principal(name, roles, attributes);
    }

    /**
     * The same with another password.
     *
     * @param other verifier of it; null for none.
     * @return another user.
     */
    public User withVerifier(final @Nullable ScramVerifier other) {
        return new User(name, isDisabled, roles, attributes, other, certificates, uids);
    }

    /** The line of a file that says so. */
    String line() {
        final StringBuilder line = new StringBuilder("user ").append(name);
        if (isDisabled) {
            line.append(" disabled");
        }
        new TreeSet<>(roles).forEach(role -> line.append(" role=").append(role));
        new TreeMap<>(attributes)
                .forEach((key, value) ->
                        line.append(" attribute.").append(key).append('=').append(Words.quoted(value)));
        certificates.forEach(each -> line.append(" certificate=").append(Words.quoted(each)));
        new TreeSet<>(uids).forEach(uid -> line.append(" uid=").append(uid));
        if (verifier != null) {
            line.append(" password=").append(verifier.text());
        }
        return line.toString();
    }
}
