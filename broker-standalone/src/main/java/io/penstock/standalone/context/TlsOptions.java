package io.penstock.standalone.context;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that talk to an encrypted endpoint, or note one. */
public final class TlsOptions {
    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description =
                    "Certificates of the authorities to trust when the other side encrypts, PEM or PKCS#12 (default:"
                            + " those of Java).")
    private @Nullable Path authorities;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Certificate of this client, PEM, for brokers that ask for one.")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "Key of --tls-cert, PEM (default: in the same file).")
    private @Nullable Path key;

    /** Made by the command line. */
    public TlsOptions() {}

    /**
     * The files.
     *
     * @return as they were given, from the root on.
     */
    public TlsFiles files() {
        return new TlsFiles(text(authorities), text(certificate), text(key));
    }

    private static String text(final @Nullable Path file) {
        return file == null ? "" : file.toAbsolutePath().normalize().toString();
    }
}
