package io.penstock.transport.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Reads the private key of a PEM file, and tells whether it belongs to a certificate. */
final class PrivateKeys {
    private static final String ENCRYPTED_REMEDY =
            "write it anew: openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW";
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    private static final int CHALLENGE_LENGTH = 32;

    private PrivateKeys() {}

    /**
     * The first key among blocks.
     *
     * @param password of it; empty for none.
     * @return null when none of them is a key.
     * @throws TlsException says what is wrong with it.
     */
    static @Nullable PrivateKey of(final List<Pem.Block> blocks, final String password) throws TlsException {
        for (final Pem.Block block : blocks) {
            if (block.label().endsWith("PRIVATE KEY")) {
                return of(block, password);
            }
        }
        return null;
    }

    private static PrivateKey of(final Pem.Block block, final String password) throws TlsException {
        if (block.isEncrypted()) {
            throw new TlsException("the key is encrypted in a way of old (" + ENCRYPTED_REMEDY + ")");
        }
        return switch (block.label()) {
            case "PRIVATE KEY" -> decoded(block.bytes());
            case "ENCRYPTED PRIVATE KEY" -> decrypted(block.bytes(), password);
            case "RSA PRIVATE KEY" -> decoded(Der.ofPkcs1(block.bytes()));
            case "EC PRIVATE KEY" -> decoded(Der.ofSec1(block.bytes()));
            default ->
                throw new TlsException("no such kind of key is known: " + block.label()
                        + " (write it anew: openssl pkcs8 -topk8 -nocrypt)");
        };
    }

    private static PrivateKey decoded(final byte[] pkcs8) throws TlsException {
        final TlsException failure =
                new TlsException("the key cannot be decoded (use a key of " + String.join(", ", ALGORITHMS) + ")");
        for (final String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (final GeneralSecurityException e) {
                // Of another algorithm, or of none.
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    private static PrivateKey decrypted(final byte[] encrypted, final String password) throws TlsException {
        if (password.isEmpty()) {
            throw new TlsException("the key is encrypted, and there is no password (give tls.password)");
        }
        final EncryptedPrivateKeyInfo info;
        final Cipher cipher;
        final SecretKeyFactory factory;
        try {
            info = new EncryptedPrivateKeyInfo(encrypted);
            // The name of the scheme of PKCS#5 is in its parameters.
            final String name =
                    info.getAlgParameters() == null || info.getAlgParameters().toString() == null
                            ? info.getAlgName()
                            : info.getAlgParameters().toString();
            final String known = name.startsWith("PBEWith") ? name : info.getAlgName();
            factory = SecretKeyFactory.getInstance(known);
            cipher = Cipher.getInstance(known);
        } catch (final IOException | GeneralSecurityException e) {
            throw new TlsException("the key is encrypted in a way that is not known (" + ENCRYPTED_REMEDY + ")", e);
        }
        try {
            final Key secret = factory.generateSecret(new PBEKeySpec(password.toCharArray()));
            cipher.init(Cipher.DECRYPT_MODE, secret, info.getAlgParameters());
            return decoded(info.getKeySpec(cipher).getEncoded());
        } catch (final GeneralSecurityException e) {
            throw new TlsException("the password does not open the key (correct tls.password)", e);
        }
    }

    /** Whether what one signs the other one verifies. */
    static boolean fits(final PrivateKey key, final PublicKey certified) {
        final String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        final byte[] challenge = new byte[CHALLENGE_LENGTH];
        new SecureRandom().nextBytes(challenge);
        try {
            final Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(challenge);
            final Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(certified);
            verifying.update(challenge);
            return verifying.verify(signing.sign());
        } catch (final GeneralSecurityException e) {
            return false;
        }
    }
}
