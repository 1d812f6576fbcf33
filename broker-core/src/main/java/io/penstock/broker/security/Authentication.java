package io.penstock.broker.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.security.Authenticator.Logon;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How clients prove who they are: by mechanisms, by an {@link Authenticator}, or not at all. Asked by {@link AccessGate}
 * alone. Safe on any thread as far as those are.
 */
public final class Authentication {
    /** The mechanism of a user and a password in clear. */
    public static final String PLAIN = "PLAIN";

    /** The mechanism of what the connection proves. */
    public static final String EXTERNAL = "EXTERNAL";

    private final Authenticator authenticator;
    private final PlainPasswords passwords;
    private final Map<String, AuthenticationMechanism> mechanisms = new LinkedHashMap<>();
    private final AnonymousLogon anonymous;

    /**
     * Makes it.
     *
     * @param authenticator decides about users and passwords; {@link Authenticator#NONE} for none.
     * @param passwords     on which connections those may come in clear.
     * @param mechanisms    best first.
     * @param anonymous     which clients may prove nothing.
     */
    public Authentication(
            final Authenticator authenticator,
            final PlainPasswords passwords,
            final List<AuthenticationMechanism> mechanisms,
            final AnonymousLogon anonymous) {
        this.authenticator = authenticator;
        this.passwords = passwords;
        mechanisms.forEach(each -> this.mechanisms.put(each.name(), each));
        final boolean knowsUsers = !this.mechanisms.isEmpty() || !authenticator.equals(Authenticator.NONE);
        this.anonymous =
                anonymous != AnonymousLogon.DEFAULT ? anonymous : knowsUsers ? AnonymousLogon.NONE : AnonymousLogon.ALL;
        if (!authenticator.equals(Authenticator.NONE)) {
            this.mechanisms.putIfAbsent(PLAIN, new SimplePlain(authenticator, passwords));
        }
    }

    /** Whether there is any way for a client to prove that it is a user. */
    boolean knowsUsers() {
        return !mechanisms.isEmpty();
    }

    /** Whether all that a client may give is what an {@link Authenticator} takes at once. */
    boolean isSimple() {
        return mechanisms.size() == 1 && mechanisms.get(PLAIN) instanceof SimplePlain;
    }

    Authenticator authenticator() {
        return authenticator;
    }

    /** Whether its password, if it has sent one, may have come in clear. */
    boolean allowsPassword(final Logon logon) {
        return logon.password().isEmpty() || passwords.allow(logon);
    }

    boolean allowsAnonymous(final Logon logon) {
        return anonymous == AnonymousLogon.ALL || (anonymous == AnonymousLogon.LOCAL && logon.local());
    }

    @Nullable
    AuthenticationExchange begin(final String mechanism, final Logon logon) {
        final AuthenticationMechanism found = mechanisms.get(mechanism);
        return found == null || !found.isOffered(logon) ? null : found.begin(logon);
    }

    String offered(final Logon logon) {
        final List<String> names = new ArrayList<>();
        mechanisms.forEach((name, mechanism) -> {
            if (mechanism.isOffered(logon)) {
                names.add(name);
            }
        });
        return String.join(" ", names);
    }

    /** What a client of {@link #PLAIN} sends, see RFC 4616. */
    static byte[] plain(final String user, final String password) {
        return ('\0' + user + '\0' + password).getBytes(UTF_8);
    }

    /** Passwords in clear for an authenticator of the embedding program. */
    private record SimplePlain(Authenticator authenticator, PlainPasswords passwords)
            implements AuthenticationMechanism {
        @Override
        public String name() {
            return PLAIN;
        }

        @Override
        public boolean isOffered(final Logon logon) {
            return passwords.allow(logon);
        }

        @Override
        public AuthenticationExchange begin(final Logon logon) {
            return message -> {
                final PlainMessage plain = PlainMessage.parse(message);
                if (plain == null) {
                    return new AuthenticationStep.Refused(PlainMessage.WRONG);
                }
                if (!plain.user().equals(logon.user())) {
                    // Guesses count for the user that a log-on names.
                    return new AuthenticationStep.Refused(PlainMessage.OTHER_USER);
                }
                final Principal principal = authenticator.authenticate(new Logon(
                        logon.clientName(),
                        plain.user(),
                        plain.password(),
                        logon.peer(),
                        logon.local(),
                        logon.identity()));
                return principal == null || principal.equals(Principal.ANONYMOUS)
                        ? new AuthenticationStep.Refused("the authenticator does not know user and password")
                        : new AuthenticationStep.Admitted(principal);
            };
        }
    }
}
