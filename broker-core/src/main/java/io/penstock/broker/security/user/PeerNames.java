package io.penstock.broker.security.user;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.security.auth.x500.X500Principal;

/** The names of a certificate, in the one form in which they are compared. */
final class PeerNames {
    private static final int EMAIL = 1;
    private static final int DNS = 2;
    private static final int URI = 6;
    private static final int LENGTH_MAX = 1024;
    private static final int SHOWN_LENGTH_MAX = 256;

    private PeerNames() {}

    /** Refuses what is no name of a certificate. */
    static void check(final String name) {
        canonical(name);
    }

    /** The form in which a name of a file is compared. */
    static String canonical(final String name) {
        if (name.length() > LENGTH_MAX || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("certificate: not a name: it is too long, or has control characters");
        }
        if (name.isBlank() || name.endsWith(":")) {
            // The subject of many certificates is empty: it would be the user of all of them.
            throw new IllegalArgumentException("certificate: empty: '" + name + "' (name what only one certificate has)");
        }
        if (name.startsWith("dns:") || name.startsWith("email:")) {
            return name.toLowerCase(Locale.ROOT);
        }
        if (name.startsWith("uri:")) {
            return name;
        }
        try {
            return "subject:" + new X500Principal(name).getName(X500Principal.CANONICAL);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "certificate: not a name: " + name
                            + " (write its subject as CN=ann,O=Example, or one of its names as dns:, email: or uri:)",
                    e);
        }
    }

    /** All names that a certificate has, its subject first. */
    static List<String> of(final X509Certificate certificate) {
        final List<String> names = new ArrayList<>();
        names.add("subject:" + certificate.getSubjectX500Principal().getName(X500Principal.CANONICAL));
        try {
            final Collection<List<?>> others = certificate.getSubjectAlternativeNames();
            if (others != null) {
                for (final List<?> other : others) {
                    add(names, (Integer) other.get(0), other.get(1));
                }
            }
        } catch (final CertificateParsingException e) {
            // Names that nobody can read are names of nobody.
            return names;
        }
        return names;
    }

    /** How a subject reads that a user may be given, for people. */
    static String subject(final X509Certificate certificate) {
        final String name = certificate.getSubjectX500Principal().getName();
        return name.length() > SHOWN_LENGTH_MAX ? name.substring(0, SHOWN_LENGTH_MAX) + "…" : name;
    }

    private static void add(final List<String> names, final int kind, final Object value) {
        if (value instanceof String text) {
            switch (kind) {
                case EMAIL -> names.add("email:" + text.toLowerCase(Locale.ROOT));
                case DNS -> names.add("dns:" + text.toLowerCase(Locale.ROOT));
                case URI -> names.add("uri:" + text);
                default -> names.add("other:" + text);
            }
        }
    }
}
