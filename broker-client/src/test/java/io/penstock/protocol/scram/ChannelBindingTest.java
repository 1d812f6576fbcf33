package io.penstock.protocol.scram;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.test.tls.TestAuthority;
import java.io.ByteArrayInputStream;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a certificate is bound to. */
class ChannelBindingTest {
    @Test
    void shouldBeTheHashOfTheCertificate() throws Exception {
        final X509Certificate certificate =
                new TestAuthority("authority").issue("broker").chain().get(0);

        assertThat(ChannelBinding.isPossible(certificate)).isTrue();
        assertThat(ChannelBinding.of(certificate))
                .isEqualTo(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        assertThat(ChannelBinding.isPossible(null)).isFalse();
        assertThat(ChannelBinding.of(null)).isNull();
    }

    /** Certificates that openssl has made. */
    @ParameterizedTest
    @CsvSource(
            value = {
                "ec384, SHA-384, "
                        + "MIIBcDCCARWgAwIBAgIUf/WSZPshBnCOsZe+ZQfZg35mzYcwCgYIKoZIzj0EAwMwDDEKMAgGA1UEAwwBYjAgFw0yNj"
                        + "ExMjYxOTM2MTdaGA8yMTI2MTEwMjE5MzYxN1owDDEKMAgGA1UEAwwBYjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA"
                        + "BDffi8F1wesvT11OdUP0p48tFYICDzToPnlmLrIYefTKPXOlN0c31vWNpbXF1sSdFAkiek50ggixOaSC1JBBcDujUz"
                        + "BRMB0GA1UdDgQWBBStVp2FL2GDGXqD2GPivhtPvTqlDTAfBgNVHSMEGDAWgBStVp2FL2GDGXqD2GPivhtPvTqlDTAP"
                        + "BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMDA0kAMEYCIQDhS+GPk3GsSicp+5tr75skJVBRwdq28MzQbLNA7aQxxQ"
                        + "IhAJ5uia4lD3RlY2BTC8lPF9CwLOemJ5JIfv4fWgcC7SmO",
                "ed25519, SHA-512, "
                        + "MIIBLjCB4aADAgECAhRC6zVreX0bAyqcH89jAG+caIWm7TAFBgMrZXAwDDEKMAgGA1UEAwwBYjAgFw0yNjExMjYxOT"
                        + "M2MTdaGA8yMTI2MTEwMjE5MzYxN1owDDEKMAgGA1UEAwwBYjAqMAUGAytlcAMhAJgPfWqT+cHOHJ59CilHxZB+l9Qn"
                        + "3fAECrGI5YbVCC5fo1MwUTAdBgNVHQ4EFgQUQhxQbK/RUn+yg8npElImdjZuYM0wHwYDVR0jBBgwFoAUQhxQbK/RUn"
                        + "+yg8npElImdjZuYM0wDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXADQQBZceJHilcLsFFcig7i8k6buV95Sd0hncCsk7tN"
                        + "P0VH/ni4xDrZYs/HMkD+aVFeMZwi5eKZfAH77rnjtI4DN2wA",
                "pss512, SHA-512, "
                        + "MIICXjCCAZOgAwIBAgIULGZ2WPAkORaTM3b2MYhlSxM3JWowQQYJKoZIhvcNAQEKMDSgDzANBglghkgBZQMEAgMFAK"
                        + "EcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgMFAKIDAgEgMAwxCjAIBgNVBAMMAWIwIBcNMjYxMTI2MTkzNjE3WhgP"
                        + "MjEyNjExMDIxOTM2MTdaMAwxCjAIBgNVBAMMAWIwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAMkpkNe7v09bve"
                        + "BBKIUJe4ZzLlNPLq6qaNc9F7l041YrnsrR9riavmDX8uyHWJFaud7avGVK1oYPWX5yKYi7Cpw+gipLVL0PzibcB+ai"
                        + "bBnVWTzd4NHQX8xR8RSGhn/8qU/h5CiVrYnWFuwvjVdkcHiHYpNCLxMkTq0+2WoyMfTbAgMBAAGjUzBRMB0GA1UdDg"
                        + "QWBBRmNRE8yM/4cfCoanKdv7kZFDOWrDAfBgNVHSMEGDAWgBRmNRE8yM/4cfCoanKdv7kZFDOWrDAPBgNVHRMBAf8E"
                        + "BTADAQH/MEEGCSqGSIb3DQEBCjA0oA8wDQYJYIZIAWUDBAIDBQChHDAaBgkqhkiG9w0BAQgwDQYJYIZIAWUDBAIDBQ"
                        + "CiAwIBIAOBgQC2bHV7xoJ/4T3xDyoXnzNgtL9qd6eJ6yB1fKaJ+BdsToXpLQPBzJgt81a30I6N5v4TsFabmOKRryDW"
                        + "ADoFLBEGTPhvc7u+V+n69u4qMyyMgNVJl7CRCKUi1v2E0GVJMc6fspZMtMYxaWYg41ptHEdZFy0mdKzNclr0bMDA/j"
                        + "LoWg==",
                "sha1, SHA-256, "
                        + "MIIB9jCCAV+gAwIBAgIUFOMlHO7nSNh/bSH3tPxQwRcnosQwDQYJKoZIhvcNAQEFBQAwDDEKMAgGA1UEAwwBYjAgFw"
                        + "0yNjExMjYxOTM2MTdaGA8yMTI2MTEwMjE5MzYxN1owDDEKMAgGA1UEAwwBYjCBnzANBgkqhkiG9w0BAQEFAAOBjQAw"
                        + "gYkCgYEAr6nbCi1z00QP/hxNR1fs/8i2k9FVcZ1H0GpkwhsD48uAXYkJlhyDXUjsJjzzRTxJ7J7HwN+T5O/KEmgr+6"
                        + "U+NUpifwqlrwgnVw+/1NRE3cnFA27kVPjvc7lhAFrp30yzuyF/pKQoAKfM4etTtMbzThrILSwSKl+NxuqFqmT4f60C"
                        + "AwEAAaNTMFEwHQYDVR0OBBYEFEnVg2tzzdG1vvo++GLO1ubeBiizMB8GA1UdIwQYMBaAFEnVg2tzzdG1vvo++GLO1u"
                        + "beBiizMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQEFBQADgYEAelUL78FpRBKi3OXhidiTsDB95uIsKFnbUKld"
                        + "TKUZ7kUIXeXgW49MT6uik6/EP7NeMnR8B60FJG+JM94mEevd8Q//amvqotbeswqNnznxIEU7ApusK9W6CanHB9Hmex"
                        + "2UjdD69UqzBvi/ZW8dmGmq4Elwc2AexJDAatQAVhk0DJA=",
                "pssdefault, SHA-256, "
                        + "MIICADCCAWSgAwIBAgIUEErqcKwOErFttc6+cYLpRfrZl/8wEgYJKoZIhvcNAQEKMAWiAwIBajAMMQowCAYDVQQDDA"
                        + "FiMCAXDTI2MTEyNjE5MzYxN1oYDzIxMjYxMTAyMTkzNjE3WjAMMQowCAYDVQQDDAFiMIGfMA0GCSqGSIb3DQEBAQUA"
                        + "A4GNADCBiQKBgQDVJ9XOueHTV4M7bDlPmKvVhAPcqWmgA5zLAamTRDhLjOt9NkUbnFJjk1ZEZNWduv9AF6Txz6FLme"
                        + "pKabrXLinRzrWmKil8nfQpFqrc/mCd46qXB1PuYu/TN4TJ8TQBGRUC6rrxVCmJzrYowzTL8RoU7l5YzfRjvwyDIOGJ"
                        + "r360owIDAQABo1MwUTAdBgNVHQ4EFgQU/GEWefjc7h8dmvZnezBQxLezc34wHwYDVR0jBBgwFoAU/GEWefjc7h8dmv"
                        + "ZnezBQxLezc34wDwYDVR0TAQH/BAUwAwEB/zASBgkqhkiG9w0BAQowBaIDAgFqA4GBAMbN4HjE3DDuEq/vXfBCJEqF"
                        + "54f3FHKGdzoQ1FlcAbf29Jv9QBUqTJqZyWm0arXUXeQxB0mDBQcY1CJ1aDWxbBqG1mewYDlqmkakfV6RZn8YE5wo3d"
                        + "hz1c76naOFBvEVDtOmUFZl34k+LjHZmGgD35P2LlD0pm/T+MfI+PRaupGy",
                "ed448, , "
                        + "MIIBeTCB+qADAgECAhQS8daKu0C5eslSXxhikld9Yu6p9zAFBgMrZXEwDDEKMAgGA1UEAwwBYjAgFw0yNjExMjYxOT"
                        + "M2MTdaGA8yMTI2MTEwMjE5MzYxN1owDDEKMAgGA1UEAwwBYjBDMAUGAytlcQM6ACxDrIJjqozuuawctd0nIi84a8x8"
                        + "JSERf0BTln1mPyG9lxF6viz1R/jFU2UgGJuZuka7TFSl3xUwgKNTMFEwHQYDVR0OBBYEFCP7EAqLegiWU3HO/7o+pA"
                        + "gAgIc+MB8GA1UdIwQYMBaAFCP7EAqLegiWU3HO/7o+pAgAgIc+MA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VxA3MA5fU7"
                        + "4x6E0160dvJi3NpnpmUfVig5Efa0aJ/Uyft+Hg/lVrwm7uCvt6akRV36cdFoLGayWUN5SZcAYnCtmPXGqALcKZyaBz"
                        + "24jljEGMtuvSm9a3+n3/fPDoXOhlRnZK4T5+DZWkR8k0POylJozNaiqSoA",
            })
    void shouldHashAsTheSignatureDoes(final String name, final @Nullable String hash, final String der)
            throws Exception {
        final byte[] encoded = Base64.getDecoder().decode(der);
        final X509Certificate certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));

        assertThat(ChannelBinding.of(certificate))
                .as(name)
                .isEqualTo(hash == null ? null : MessageDigest.getInstance(hash).digest(encoded));
        assertThat(ChannelBinding.isPossible(certificate)).isEqualTo(hash != null);
    }
}
