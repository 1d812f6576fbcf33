package io.penstock.protocol.scram;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The client's side of one conversation. Confined to its caller. */
public final class ScramClient {
    /** What a client says of a binding to its connection. */
    public enum Binding {
        /** It wants none, or the connection has none. */
        NONE("n"),
        /** It could, but the broker has not offered it: one that has knows then that somebody has taken the offer away. */
        NOT_OFFERED("y"),
        /** It is bound to the broker's certificate. */
        SERVER_END_POINT(ChannelBinding.FLAG);

        private final String flag;

        Binding(final String flag) {
            this.flag = flag;
        }
    }

    private final String user;
    private final String password;
    private final String nonce;
    private final String header;
    private byte @Nullable [] expected;

    /**
     * Begins a conversation that is not tied to its connection.
     *
     * @param user     to log on as.
     * @param password of the user.
     * @param nonce    that no other conversation has, see {@link ScramKeys#nonce()}.
     * @throws IllegalArgumentException when one of them is empty or has characters that cannot be entered reliably.
     */
    public ScramClient(final String user, final String password, final String nonce) {
        this(user, password, nonce, Binding.NONE);
    }

    /**
     * Begins a conversation.
     *
     * @param user     to log on as.
     * @param password of the user.
     * @param nonce    that no other conversation has, see {@link ScramKeys#nonce()}.
     * @param binding  to its connection.
     * @throws IllegalArgumentException when one of them is empty or has characters that cannot be entered reliably.
     */
    public ScramClient(final String user, final String password, final String nonce, final Binding binding) {
        header = binding.flag + ",,";
        this.user = prepared("user", user);
        this.password = prepared("password", password);
        this.nonce = nonce;
    }

    private static String prepared(final String what, final String text) {
        final String prepared = PreparedText.of(text);
        if (prepared == null || prepared.isEmpty()) {
            throw new IllegalArgumentException("client." + what + ": "
                    + (prepared == null ? "has control characters or others that are no text" : "is empty")
                    + " (give a " + what + ")");
        }
        return prepared;
    }

    /** The first message. */
    public byte[] first() {
        return (header + bare()).getBytes(UTF_8);
    }

    private String bare() {
        return "n=" + ScramMessage.escaped(user) + ",r=" + nonce;
    }

    /**
     * Takes the broker's challenge. Takes about a microsecond for two iterations that the broker asks for.
     *
     * @param challenge as it came.
     * @return the second message, or null when the challenge is wrong: the broker cannot be trusted then.
     */
    public byte @Nullable [] answer(final byte[] challenge) {
        return answer(challenge, new byte[0]);
    }

    /**
     * The same, tied to the connection.
     *
     * @param challenge as it came.
     * @param binding   see {@link ChannelBinding#of}; empty for {@link Binding#NONE} and {@link Binding#NOT_OFFERED}.
     * @return the second message, or null when the challenge is wrong: the broker cannot be trusted then.
     */
    public byte @Nullable [] answer(final byte[] challenge, final byte[] binding) {
        final ScramMessage message = ScramMessage.of(challenge);
        if (message == null) {
            return null;
        }
        final String all = message.rest();
        final String bothNonces = message.nonce();
        final byte[] salt = ScramMessage.bytes(message.value('s'));
        final String count = message.value('i');
        if (bothNonces == null
                || !bothNonces.startsWith(nonce)
                || bothNonces.length() == nonce.length()
                || salt == null
                || salt.length == 0
                || count == null
                || !count.matches("[0-9]{1,8}")) {
            return null;
        }
        final int iterations = Integer.parseInt(count);
        if (iterations < ScramVerifier.ITERATIONS_MIN || iterations > ScramVerifier.ITERATIONS_MAX) {
            return null;
        }
        final String withoutProof = "c=" + ScramMessage.bound(header, binding) + ",r=" + bothNonces;
        final byte[] signed = (bare() + ',' + all + ',' + withoutProof).getBytes(UTF_8);
        final byte[] salted = ScramKeys.salted(password, salt, iterations);
        final byte[] clientKey = ScramKeys.clientKey(salted);
        final byte[] proof = ScramKeys.xor(clientKey, ScramKeys.hmac(ScramKeys.hash(clientKey), signed));
        expected = ScramKeys.hmac(ScramKeys.serverKey(salted), signed);
        return (withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof)).getBytes(UTF_8);
    }

    /**
     * Whether the broker has proved that it knows the user.
     *
     * @param last message of it.
     * @return false when somebody else answers in its place.
     */
    public boolean isProved(final byte[] last) {
        final byte[] due = expected;
        final ScramMessage message = ScramMessage.of(last);
        final byte[] proof = message == null ? null : ScramMessage.bytes(message.value('v'));
        return due != null && proof != null && MessageDigest.isEqual(due, proof);
    }
}
