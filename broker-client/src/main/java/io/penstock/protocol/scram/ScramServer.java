package io.penstock.protocol.scram;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The broker's side of one conversation: two messages of the client, in this order. A message that is wrong ends it.
 * Confined to its caller.
 */
public final class ScramServer {
    private final Function<String, ScramVerifier> verifiers;
    private final String ownNonce;
    private String user = "";
    private String header = "";
    private String nonce = "";
    private String transcript = "";
    private String wrong = "";
    private @Nullable ScramVerifier verifier;

    /**
     * Begins a conversation.
     *
     * @param verifiers of users by name; a made-up one for users that there are not, so that the client cannot tell.
     * @param ownNonce  that no other conversation has, see {@link ScramKeys#nonce()}.
     */
    public ScramServer(final Function<String, ScramVerifier> verifiers, final String ownNonce) {
        this.verifiers = verifiers;
        this.ownNonce = ownNonce;
    }

    /** The user that the client says it is; empty before its first message. */
    public String user() {
        return user;
    }

    /** Why a message was refused, for the operator; empty when none was. */
    public String wrong() {
        return wrong;
    }

    /**
     * Takes the client's first message.
     *
     * @param message as it came.
     * @return the answer, or null when it is refused.
     */
    public byte @Nullable [] first(final byte[] message) {
        final ScramMessage first = ScramMessage.of(message);
        if (first == null) {
            return refuse("first message: too long or not text");
        }
        final String binding = first.part();
        final String authorization = first.part();
        if (binding == null || authorization == null || !(binding.equals("n") || binding.equals("y"))) {
            return refuse("first message: does not begin with n,, or y,,");
        }
        if (!authorization.isEmpty()) {
            return refuse("first message: wants to act as another user");
        }
        header = binding + ",,";
        final String bare = first.rest();
        final String name = first.value('n');
        final String clientNonce = first.nonce();
        final String unescaped = name == null ? null : ScramMessage.unescaped(name);
        final String prepared = unescaped == null ? null : PreparedText.of(unescaped);
        if (prepared == null || prepared.isEmpty() || clientNonce == null) {
            return refuse("first message: no user or no nonce");
        }
        user = prepared;
        nonce = clientNonce + ownNonce;
        final ScramVerifier found = verifiers.apply(user);
        verifier = found;
        final String answer =
                "r=" + nonce + ",s=" + Base64.getEncoder().encodeToString(found.salt()) + ",i=" + found.iterations();
        transcript = bare + ',' + answer + ',';
        return answer.getBytes(UTF_8);
    }

    /**
     * Takes the client's second message.
     *
     * @param message as it came.
     * @return the answer, by which the broker proves itself; null when it is refused.
     */
    public byte @Nullable [] last(final byte[] message) {
        final ScramVerifier known = verifier;
        verifier = null;
        if (known == null) {
            return refuse("second message: came before the first, or once more");
        }
        final ScramMessage last = ScramMessage.of(message);
        if (last == null) {
            return refuse("second message: too long or not text");
        }
        final String all = last.rest();
        final byte[] binding = ScramMessage.bytes(last.value('c'));
        if (binding == null || !MessageDigest.isEqual(binding, header.getBytes(UTF_8))) {
            return refuse("second message: another channel binding than in the first");
        }
        final String sentNonce = last.nonce();
        if (sentNonce == null || !sentNonce.equals(nonce)) {
            return refuse("second message: another nonce");
        }
        byte[] proof = null;
        while (proof == null && !last.isAtEnd()) {
            final String value = last.value('p');
            if (value == null) {
                last.part();
            } else {
                proof = ScramMessage.bytes(value);
                if (proof == null) {
                    return refuse("second message: a proof that is not Base64");
                }
            }
        }
        if (proof == null || proof.length != ScramKeys.LENGTH || !last.isAtEnd()) {
            return refuse("second message: no proof at its end");
        }
        final byte[] signed = (transcript + all.substring(0, all.lastIndexOf(",p="))).getBytes(UTF_8);
        final byte[] clientKey = ScramKeys.xor(proof, ScramKeys.hmac(known.storedKey(), signed));
        if (!MessageDigest.isEqual(ScramKeys.hash(clientKey), known.storedKey())) {
            return refuse("wrong password");
        }
        return ("v=" + Base64.getEncoder().encodeToString(ScramKeys.hmac(known.serverKey(), signed))).getBytes(UTF_8);
    }

    private byte @Nullable [] refuse(final String reason) {
        wrong = reason;
        return null;
    }
}
