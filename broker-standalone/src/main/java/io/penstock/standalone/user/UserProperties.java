package io.penstock.standalone.user;

import io.penstock.broker.security.user.User;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.standalone.CommandFailure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** A user without anything. */
    static User named(final String name) {
        try {
            return User.named(name);
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        }
    }
}
