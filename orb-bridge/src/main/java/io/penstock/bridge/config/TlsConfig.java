package io.penstock.bridge.config;

/**
 * Keys for TLS, in files that {@code keytool} makes.
 *
 * @param keyStore           path of the bridge's key and certificate; empty = no TLS.
 * @param keyStorePassword   of the file and of the key.
 * @param trustStore         path of the certificates that clients must have one of, or one signed by; empty = clients need
 *                           none.
 * @param trustStorePassword of the file.
 */
public record TlsConfig(String keyStore, String keyStorePassword, String trustStore, String trustStorePassword) {
    public TlsConfig {
        if (keyStore.isEmpty() && !trustStore.isEmpty()) {
            throw new IllegalArgumentException(
                    "bridge.rmi.tls.trustStore: without a keyStore: " + trustStore + " (give both)");
        }
    }

    /** No TLS. */
    public static TlsConfig none() {
        return new TlsConfig("", "", "", "");
    }

    public boolean isUsed() {
        return !keyStore.isEmpty();
    }

    /** Whether clients have to prove who they are. */
    public boolean needsClientCertificates() {
        return !trustStore.isEmpty();
    }

    /** Does not show the passwords. */
    @Override
    public String toString() {
        return "TlsConfig[" + keyStore + ", " + trustStore + "]";
    }
}
