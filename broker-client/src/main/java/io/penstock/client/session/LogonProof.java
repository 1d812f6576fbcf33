package io.penstock.client.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.protocol.scram.ChannelBinding;
import io.penstock.protocol.scram.ScramClient;
import io.penstock.protocol.scram.ScramClient.Binding;
import io.penstock.protocol.scram.ScramKeys;
import io.penstock.transport.Connection;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The client's side of one log-on: what it sends, and what the broker has to answer. Owned by the session. */
final class LogonProof {
    private final LogonCredentials credentials;
    private final Connection connection;
    private final boolean isEncrypted;
    private @Nullable ScramClient scram;
    private boolean isBound;
    private boolean isFallenBack;
    private boolean isAnswered;
    private boolean isPlain;
    private String wrong = "";

    /**
     * Begins a log-on.
     *
     * @param isEncrypted whether nothing is sent on the connection before its handshake is done.
     * @throws IllegalArgumentException when user or password cannot be used.
     */
    LogonProof(final LogonCredentials credentials, final Connection connection, final boolean isEncrypted) {
        this.credentials = credentials;
        this.connection = connection;
        this.isEncrypted = isEncrypted;
        isBound = isEncrypted && credentials.mechanism() == LogonMechanism.SCRAM_SHA_256;
        scram = switch (credentials.mechanism()) {
            case SCRAM_SHA_256, SCRAM_SHA_256_UNBOUND -> newScram(isBound ? Binding.SERVER_END_POINT : Binding.NONE);
            default -> null;
        };
        if (credentials.mechanism() == LogonMechanism.OAUTHBEARER && !isEncrypted && !connection.isLocal()) {
            throw new IllegalArgumentException(
                    "client.credentials: a token, and the connection is not encrypted: whoever"
                            + " reads it could log on with it (connect over TLS, or on this machine)");
        }
    }

    private ScramClient newScram(final Binding binding) {
        return new ScramClient(credentials.user(), credentials.secret(), ScramKeys.nonce(), binding);
    }

    /** The mechanism that the log-on names. */
    String mechanism() {
        if (isBound) {
            return ChannelBinding.MECHANISM;
        }
        return credentials.mechanism() == LogonMechanism.PLAIN
                ? ""
                : credentials.mechanism().label();
    }

    /** The user that the log-on names. */
    String user() {
        return credentials.user();
    }

    /** The password that the log-on itself has, which brokers of all versions understand. */
    String password() {
        return credentials.mechanism() == LogonMechanism.PLAIN ? credentials.secret() : "";
    }

    /** The first message of the mechanism. */
    byte[] first() {
        return switch (credentials.mechanism()) {
            case NONE, PLAIN, EXTERNAL -> new byte[0];
            case SCRAM_SHA_256, SCRAM_SHA_256_UNBOUND -> scram == null ? new byte[0] : scram.first();
            case OAUTHBEARER -> ("n,,\u0001auth=Bearer " + credentials.secret() + "\u0001\u0001").getBytes(UTF_8);
        };
    }

    /** The answer to a challenge; null when there is none, and {@link #wrong()} says why. */
    @Nullable
    Answer answer(final String mechanisms, final byte[] challenge) {
        if (isAnswered || scram == null) {
            wrong = mechanisms.isEmpty()
                    ? "the broker asks for more than " + credentials.mechanism() + " has to say"
                    : "the broker does not take " + credentials.mechanism().label() + " (it takes " + mechanisms
                            + (credentials.mechanism() == LogonMechanism.EXTERNAL
                                    ? "; connect with a certificate that is signed by an authority that the broker trusts,"
                                            + " or by ipc)"
                                    : ")");
            return null;
        }
        if (!mechanisms.isEmpty()) {
            return other(List.of(mechanisms.split(" ", -1)));
        }
        isAnswered = true;
        final byte[] binding =
                isBound ? ChannelBinding.of(connection.peerIdentity().server()) : new byte[0];
        if (binding == null) {
            wrong = "the broker's certificate is signed in a way that nothing can be bound to (sign it with RSA, ECDSA or"
                    + " Ed25519, or log on with SCRAM_SHA_256_UNBOUND)";
            return null;
        }
        final byte[] answer = scram.answer(challenge, binding);
        if (answer == null) {
            wrong = "the broker's challenge is wrong: it cannot be trusted";
            return null;
        }
        return new Answer("", answer);
    }

    /** What to do instead of what the broker does not take. */
    private @Nullable Answer other(final List<String> offered) {
        if (isBound && !offered.contains(ChannelBinding.MECHANISM)
                && offered.contains(LogonMechanism.SCRAM_SHA_256.label())) {
            isBound = false;
            isFallenBack = true;
            // A broker that could have bound it refuses this: somebody between the two has taken its offer away.
            final ScramClient begun = newScram(Binding.NOT_OFFERED);
            scram = begun;
            return new Answer(LogonMechanism.SCRAM_SHA_256.label(), begun.first());
        }
        isAnswered = true;
        return plain(offered);
    }

    /** A broker that keeps no proof of passwords has to see them. */
    private @Nullable Answer plain(final List<String> offered) {
        final String mechanisms = String.join(" ", offered);
        if (isFallenBack
                || offered.contains(LogonMechanism.SCRAM_SHA_256.label())
                || offered.contains(ChannelBinding.MECHANISM)) {
            wrong = "the broker wants the password in clear, though it could do without: it cannot be trusted";
            return null;
        }
        if (!offered.contains(LogonMechanism.PLAIN.label())) {
            wrong = "the broker takes no password (it takes " + mechanisms + ")";
            return null;
        }
        if (!isEncrypted && !connection.isPrivate()) {
            wrong = "the broker wants the password in clear, and others could read it, or listen in its place (connect by tcps"
                    + " or ipc, or choose PLAIN if nobody else can)";
            return null;
        }
        isPlain = true;
        return new Answer(
                LogonMechanism.PLAIN.label(),
                ('\0' + credentials.user() + '\0' + credentials.secret()).getBytes(UTF_8));
    }

    /** Whether the broker has proved what it has to. */
    boolean isProved(final byte[] last) {
        if (scram == null || isPlain || scram.isProved(last)) {
            return true;
        }
        wrong = "the broker did not prove that it knows the user: it cannot be trusted";
        return false;
    }

    /** Why it has failed. */
    String wrong() {
        return wrong;
    }

    /**
     * What the client answers.
     *
     * @param mechanism that it chooses anew; else empty.
     * @param token     of it.
     */
    // Its array goes into a frame at once, and equality is by its content.
    @SuppressWarnings("ArrayRecordComponent")
    record Answer(String mechanism, byte[] token) {
        @Override
        public boolean equals(final Object other) {
            return other instanceof Answer that && mechanism.equals(that.mechanism) && Arrays.equals(token, that.token);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(token);
        }

        @Override
        public String toString() {
            return "Answer[" + mechanism + "]";
        }
    }
}
