package io.penstock.transport.tls;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in plain words why a handshake failed, and what helps. */
public final class TlsReasons {
    private static final String ALERT = "Received fatal alert: ";

    /** BoringSSL's names of alerts that were received. */
    private static final Pattern NATIVE_ALERT = Pattern.compile("(?:SSLV3|TLSV1)_(?:ALERT_)?([A-Z0-9_]+)");

    private TlsReasons() {}

    /**
     * The reason of a failure.
     *
     * @param error as an engine has thrown it.
     * @return the reason and the remedy.
     */
    public static String of(final Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof TlsException) {
                return String.valueOf(each.getMessage());
            }
            if (each instanceof CertificateExpiredException) {
                return "the certificate of the peer, or of its authority, has expired (renew it)";
            }
            if (each instanceof CertificateNotYetValidException) {
                return "the certificate of the peer, or of its authority, is not valid yet (correct the clocks of both"
                        + " machines)";
            }
            if (each instanceof CertPathBuilderException || isForged(each)) {
                return "the certificate of the peer is signed by nobody who is trusted here (add its authority to"
                        + " tls.trust of a broker, --tls-ca of a command, ClientTls of a program)";
            }
        }
        final String message = messageOf(error);
        final int alert = message.indexOf(ALERT);
        if (alert >= 0) {
            return ofAlert(message.substring(alert + ALERT.length()));
        }
        final Matcher nativeAlert = NATIVE_ALERT.matcher(message);
        return nativeAlert.find() ? ofAlert(nativeAlert.group(1)) : ofText(message, error.getCause());
    }

    /** The native engine tells what was wrong by the cause alone, or by a name behind numbers. */
    private static String messageOf(final Throwable error) {
        final String message = String.valueOf(error.getMessage());
        if (error.getCause() != null
                && (message.startsWith("General OpenSslEngine problem") || error.getCause() instanceof SSLException)) {
            return messageOf(error.getCause());
        }
        return message.startsWith("error:") ? message.substring(message.lastIndexOf(':') + 1) : message;
    }

    /** Whether an authority of that name is trusted, but did not sign it. */
    private static boolean isForged(final Throwable error) {
        return error instanceof CertPathValidatorException path && path.getReason() == BasicReason.INVALID_SIGNATURE;
    }

    private static String ofText(final String message, final @Nullable Throwable cause) {
        if (message.contains("No name matching") || message.contains("No subject alternative")) {
            return "the certificate of the peer is for another host: " + message
                    + " (connect by a name that it has, or make one with this name)";
        }
        if (message.contains("Empty client certificate chain")
                || message.contains("Empty server certificate chain")
                || message.contains("PEER_DID_NOT_RETURN_A_CERTIFICATE")) {
            return "the peer has no certificate, and one is required (give the client one that is trusted here)";
        }
        if (message.contains("no cipher suites in common")
                || message.contains("No appropriate protocol")
                || message.contains("NO_SHARED_")
                || message.contains("NO_COMMON_SIGNATURE_ALGORITHMS")) {
            return "both sides have no cipher suite in common: " + message + " (use tls.ciphers of both)";
        }
        if (message.contains("(protocol_version)")
                || message.contains("UNSUPPORTED_PROTOCOL")
                || message.contains("is not enabled or supported in server context")
                || message.contains("supported protocol versions")
                || message.contains("The server selected protocol version")) {
            return "both sides have no version of TLS in common: " + message + " (use tls.protocols of both)";
        }
        if (message.contains("Certificate chain length")
                || message.contains("exceeds the maximum")
                || message.contains("EXCESSIVE_MESSAGE_SIZE")) {
            return "the peer sent more certificates than are allowed: " + message + " (send fewer)";
        }
        if (message.contains("Unsupported or unrecognized SSL message") || message.contains("plaintext connection")) {
            return "the peer does not speak TLS (have it connect with TLS, or use a port without)";
        }
        if (message.contains("Remote host terminated the handshake")
                || message.contains("Remote host closed connection during handshake")) {
            return "closed by the peer during the handshake (see its log; does it speak TLS, and trust the"
                    + " certificate?)";
        }
        if (message.contains("TOO_MANY_KEY_UPDATES") || message.contains("TOO_MANY_EMPTY_FRAGMENTS")) {
            return EmptyRecords.TOO_MANY;
        }
        if (message.contains("Tag mismatch")
                || message.contains("DECRYPTION_FAILED_OR_BAD_RECORD_MAC")
                || message.contains("BAD_DECRYPT")) {
            return "what the peer sent was changed on its way, or is not what TLS allows here (look for a device"
                    + " between the two)";
        }
        return "TLS failed: " + message
                + (cause == null || message.contains(String.valueOf(cause.getMessage()))
                        ? ""
                        : ": " + cause.getMessage())
                + " (see the log of the peer)";
    }

    /** What the peer has against this side. */
    private static String ofAlert(final String alert) {
        final String name = alert.strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "certificate_required", "bad_certificate" ->
                "the peer wants a certificate of this side, or cannot use the one it has: " + name
                        + " (give this side a certificate that the peer trusts)";
            case "unknown_ca", "certificate_unknown" ->
                "the peer does not trust the certificate of this side: " + name
                        + " (add this side's authority to what the peer trusts; connect by a name that is in the"
                        + " certificate)";
            case "certificate_expired" -> "the certificate of this side has expired: " + name + " (renew it)";
            case "protocol_version" ->
                "both sides have no version of TLS in common: " + name + " (use tls.protocols of both)";
            case "handshake_failure", "insufficient_security" ->
                "both sides have no cipher suite in common, or the peer wants a certificate: " + name
                        + " (use tls.ciphers of both)";
            default -> "the peer ended the connection: " + name + " (see the log of the peer)";
        };
    }
}
