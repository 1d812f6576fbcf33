package io.penstock.standalone.context;

import io.penstock.client.ClientTls;
import io.penstock.standalone.CommandFailure;
import io.penstock.transport.tls.TlsConfig;
import java.util.List;

/**
 * The files that a client of an encrypted endpoint reads. Empty texts are settings that were not given.
 *
 * @param authorities with the certificates of trusted authorities.
 * @param certificate of the client.
 * @param key         of the certificate.
 */
public record TlsFiles(String authorities, String certificate, String key) {
    /** None at all. */
    public static final TlsFiles NONE = new TlsFiles("", "", "");

    /**
     * What a client needs.
     *
     * @return by these files.
     * @throws CommandFailure when there is a key without a certificate.
     */
    public ClientTls client() {
        if (certificate.isEmpty() && !key.isEmpty()) {
            throw CommandFailure.badInput(
                    "--tls-key: there is no certificate for it: " + key + " (give --tls-cert as well)");
        }
        return new ClientTls(TlsConfig.defaults().certificate(certificate, key).trust(authorities, ""), true);
    }

    /**
     * Fills in what was not given.
     *
     * @param others that are used then. A certificate goes with its own key.
     * @return these, and others.
     */
    public TlsFiles or(final TlsFiles others) {
        final boolean hasOwn = !certificate.isEmpty() || !key.isEmpty();
        return new TlsFiles(
                authorities.isEmpty() ? others.authorities : authorities,
                hasOwn ? certificate : others.certificate,
                hasOwn ? key : others.key);
    }

    List<String> values() {
        return List.of(authorities, certificate, key);
    }
}
