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

    /** That the conversation has to be bound to; null for none. */
    private final byte @Nullable [] binding;

    private final boolean isBindingOffered;
    private String user = "";
    private String header = "";
    private String nonce = "";
    private String transcript = "";
    private String wrong = "";
    private @Nullable ScramVerifier verifier;

    /**
     * Begins a conversation on a connection that nothing is bound to.
     *
     * @param verifiers of users by name; a made-up one for users that there are not, so that the client cannot tell.
     * @param ownNonce  that no other conversation has, see {@link ScramKeys#nonce()}.
     */
    public ScramServer(final Function<String, ScramVerifier> verifiers, final String ownNonce) {
        this(verifiers, ownNonce, null, false);
    }

    private ScramServer(
            final Function<String, ScramVerifier> verifiers,
            final String ownNonce,
            final byte @Nullable [] binding,
            final boolean isBindingOffered) {
        this.verifiers = verifiers;
        this.ownNonce = ownNonce;
        this.binding = binding == null ? null : binding.clone();
        this.isBindingOffered = isBindingOffered;
    }

    /**
     * Begins a conversation that is not bound, where one that is was offered: a client that says it was not is refused.
     *
     * @param verifiers of users by name.
     * @param ownNonce  that no other conversation has.
     * @return for two messages of the client.
     */
    public static ScramServer unbound(final Function<String, ScramVerifier> verifiers, final String ownNonce) {
        return new ScramServer(verifiers, ownNonce, null, true);
    }

    /**
     * Begins a conversation that is bound to its connection.
     *
     * @param verifiers of users by name.
     * @param ownNonce  that no other conversation has.
     * @param binding   see {@link ChannelBinding#of}.
     * @return for two messages of the client.
     */
    public static ScramServer bound(
            final Function<String, ScramVerifier> verifiers, final String ownNonce, final byte[] binding) {
        return new ScramServer(verifiers, ownNonce, binding, true);
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
        final String flag = first.part();
        final String authorization = first.part();
        final String unfit = flag == null || authorization == null ? "it has no beginning" : unfit(flag);
        if (unfit != null) {
            return refuse("first message: " + unfit);
        }
        if (authorization == null || !authorization.isEmpty()) {
            return refuse("first message: wants to act as another user");
        }
        header = flag + ",,";
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
        final String sent = last.value('c');
        final String due = ScramMessage.bound(header, binding == null ? new byte[0] : binding);
        if (sent == null || !MessageDigest.isEqual(sent.getBytes(UTF_8), due.getBytes(UTF_8))) {
            return refuse(
                    binding == null
                            ? "second message: another channel binding than in the first"
                            : "second message: bound to another certificate than the broker's: somebody decrypts between the"
                                    + " client and the broker");
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

    /** What is wrong with what a client says of a binding; null when it fits. */
    private @Nullable String unfit(final String flag) {
        if (binding != null) {
            return flag.equals(ChannelBinding.FLAG) ? null : "does not begin with " + ChannelBinding.FLAG + ",,";
        }
        if (flag.equals("y") && isBindingOffered) {
            return "says that the broker does not offer " + ChannelBinding.MECHANISM
                    + ": somebody between the two has taken that away";
        }
        return flag.equals("n") || flag.equals("y") ? null : "does not begin with n,, or y,,";
    }

    private byte @Nullable [] refuse(final String reason) {
        wrong = reason;
        return null;
    }
}
