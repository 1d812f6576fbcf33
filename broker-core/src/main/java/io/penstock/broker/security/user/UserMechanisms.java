package io.penstock.broker.security.user;

import io.penstock.broker.security.Authentication;
import io.penstock.broker.security.AuthenticationExchange;
import io.penstock.broker.security.AuthenticationMechanism;
import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Challenge;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.PlainMessage;
import io.penstock.broker.security.PlainPasswords;
import io.penstock.protocol.scram.ChannelBinding;
import io.penstock.protocol.scram.PreparedText;
import io.penstock.protocol.scram.ScramKeys;
import io.penstock.protocol.scram.ScramServer;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.transport.PeerIdentity;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The ways in which users of a file prove who they are. Immutable. */
public final class UserMechanisms {
    private UserMechanisms() {}

    /**
     * All of them.
     *
     * @param users  that they are about.
     * @param plain on which connections a password may come in clear.
     * @return best first.
     */
    public static List<AuthenticationMechanism> of(final UserDirectory users, final PlainPasswords plain) {
        return List.of(new ScramPlus(users), new Scram(users), new External(users), new Plain(users, plain));
    }

    /** A known user has proved itself, unless it is disabled: only then is it told apart. */
    private static AuthenticationStep admitted(
            final UserDirectory users, final @Nullable User user, final byte[] message) {
        if (user == null) {
            return new Refused("no such user");
        }
        return user.isDisabled()
                ? new Refused("the user is disabled")
                : new Admitted(user.principal(), message, Admitted.FOR_EVER, () -> users.isUnchanged(user));
    }

    private static String nobody(final PeerIdentity identity) {
        return identity.certificates().isEmpty()
                ? "no user has its uid: " + identity.userId()
                : "no user has its certificate: "
                        + PeerNames.subject(identity.certificates().get(0))
                        + " (give it to one: penstock user set NAME --certificate, in this order)";
    }

    private static boolean isUser(final Logon logon, final String user) {
        return user.equals(PreparedText.of(logon.user()));
    }

    /** SCRAM-SHA-256. */
    private record Scram(UserDirectory users) implements AuthenticationMechanism {
        @Override
        public String name() {
            return "SCRAM-SHA-256";
        }

        @Override
        public AuthenticationExchange begin(final Logon logon) {
            // What a user was when it was challenged is what it has to prove.
            final UserTable table = users.table();
            final boolean isBindingOffered =
                    ChannelBinding.isPossible(logon.identity().server());
            return scram(
                    users,
                    table,
                    isBindingOffered
                            ? ScramServer.unbound(table::verifier, ScramKeys.nonce())
                            : new ScramServer(table::verifier, ScramKeys.nonce()),
                    logon);
        }
    }

    /** SCRAM-SHA-256, bound to the encrypted connection. */
    private record ScramPlus(UserDirectory users) implements AuthenticationMechanism {
        @Override
        public String name() {
            return ChannelBinding.MECHANISM;
        }

        @Override
        public boolean isOffered(final Logon logon) {
            return ChannelBinding.isPossible(logon.identity().server());
        }

        @Override
        public AuthenticationExchange begin(final Logon logon) {
            final byte[] binding = ChannelBinding.of(logon.identity().server());
            if (binding == null) {
                return message -> new Refused("SCRAM: nothing to bind to");
            }
            final UserTable table = users.table();
            return scram(users, table, ScramServer.bound(table::verifier, ScramKeys.nonce(), binding), logon);
        }
    }

    private static AuthenticationExchange scram(
            final UserDirectory users, final UserTable table, final ScramServer server, final Logon logon) {
        final AtomicBoolean isChallenged = new AtomicBoolean();
        return message -> {
            if (!isChallenged.getAndSet(true)) {
                final byte[] challenge = server.first(message);
                if (challenge == null) {
                    return new Refused("SCRAM: " + server.wrong());
                }
                return isUser(logon, server.user()) ? new Challenge(challenge) : new Refused(PlainMessage.OTHER_USER);
            }
            final byte[] last = server.last(message);
            if (last == null) {
                final boolean isKnown = table.find(server.user()) != null;
                return new Refused("SCRAM: " + (isKnown ? server.wrong() : "no such user"));
            }
            return admitted(users, table.find(server.user()), last);
        };
    }

    /** User and password in clear, compared with what is kept for SCRAM. */
    private record Plain(UserDirectory users, PlainPasswords passwords) implements AuthenticationMechanism {
        @Override
        public String name() {
            return Authentication.PLAIN;
        }

        @Override
        public boolean isOffered(final Logon logon) {
            return passwords.allow(logon);
        }

        @Override
        public AuthenticationExchange begin(final Logon logon) {
            return message -> {
                final PlainMessage plain = PlainMessage.parse(message);
                final String user = plain == null ? null : PreparedText.of(plain.user());
                if (plain == null || user == null) {
                    return new Refused(PlainMessage.WRONG);
                }
                if (!isUser(logon, user)) {
                    return new Refused(PlainMessage.OTHER_USER);
                }
                final UserTable table = users.table();
                final ScramVerifier verifier = table.verifier(user);
                final User known = table.find(user);
                if (!verifier.matches(plain.password())) {
                    return new Refused(known == null ? "no such user" : "wrong password");
                }
                return admitted(users, known, new byte[0]);
            };
        }
    }

    /** What the connection proves. */
    private record External(UserDirectory users) implements AuthenticationMechanism {
        @Override
        public String name() {
            return Authentication.EXTERNAL;
        }

        @Override
        public boolean isOffered(final Logon logon) {
            return users.table().canProve(logon.identity());
        }

        @Override
        public AuthenticationExchange begin(final Logon logon) {
            return message -> {
                final User user = users.table().find(logon.identity());
                if (message.length > 0 || (user != null && !logon.user().isEmpty() && !isUser(logon, user.name()))) {
                    return new Refused(PlainMessage.OTHER_USER);
                }
                return user == null ? new Refused(nobody(logon.identity())) : admitted(users, user, new byte[0]);
            };
        }
    }
}
