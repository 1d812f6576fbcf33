package io.penstock.standalone.user;

import io.penstock.broker.security.user.User;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.standalone.CommandFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a user has besides its name and password. */
final class UserProperties {
    @Option(names = "--role", paramLabel = "ROLE", description = "Role of the user; repeatable.")
    private List<String> roles = List.of();

    @Option(
            names = "--attribute",
            paramLabel = "NAME=VALUE",
            description = "Attribute of the user, for filters of permissions; repeatable.")
    private List<String> attributes = List.of();

    @Option(
            names = "--certificate",
            paramLabel = "NAME",
            description =
                    "Subject of a certificate that proves the user, as CN=ann,O=Example, or another name of it, as"
                            + " dns:ann.example.com, email:ann@example.com or uri:spiffe://example.com/ann; repeatable.")
    private List<String> certificates = List.of();

    @Option(
            names = "--uid",
            paramLabel = "NUMBER",
            description = "User of this machine whose processes are the user over ipc; repeatable.")
    private List<Integer> uids = List.of();

    UserProperties() {}

    boolean isEmpty() {
        return roles.isEmpty() && attributes.isEmpty() && certificates.isEmpty() && uids.isEmpty();
    }

    /** A user that has what was given here, and the rest of another. */
    User over(final User before, final boolean isDisabled, final @Nullable ScramVerifier verifier) {
        final Map<String, String> named = new HashMap<>();
        for (final String attribute : attributes) {
            final int equals = attribute.indexOf('=');
            if (equals < 1) {
                throw CommandFailure.badInput("--attribute: not NAME=VALUE: " + attribute);
            }
            named.put(attribute.substring(0, equals), attribute.substring(equals + 1));
        }
        certificates.forEach(UserProperties::checkOrder);
        try {
            return new User(
                    before.name(),
                    isDisabled,
                    roles.isEmpty() ? before.roles() : Set.copyOf(new HashSet<>(roles)),
                    named.isEmpty() ? before.attributes() : named,
                    verifier,
                    certificates.isEmpty() ? before.certificates() : certificates,
                    uids.isEmpty() ? before.uids() : Set.copyOf(new HashSet<>(uids)));
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        }
    }

    /** As openssl prints it, a subject would be that of no certificate, most likely. */
    private static void checkOrder(final String certificate) {
        final String canonical;
        final List<String> parts;
        try {
            final X500Principal subject = new X500Principal(certificate);
            canonical = subject.getName(X500Principal.CANONICAL);
            parts = new ArrayList<>(List.of(subject.getName().split("(?<!\\\\),", -1)));
        } catch (final IllegalArgumentException e) {
            // Another name, or none at all, which is refused elsewhere.
            return;
        }
        if (parts.size() > 1 && !canonical.startsWith("cn=") && canonical.matches(".*(?<!\\\\),cn=[^=]*")) {
            Collections.reverse(parts);
            throw CommandFailure.badInput("--certificate: its parts are in the order of openssl: " + certificate
                    + " (give " + String.join(",", parts)
                    + ", as openssl x509 -noout -subject -nameopt RFC2253 prints it)");
        }
    }

    /** A user without anything. */
    static User named(final String name) {
        try {
            return User.named(name);
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        }
    }
}
