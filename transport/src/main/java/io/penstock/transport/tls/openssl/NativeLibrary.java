package io.penstock.transport.tls.openssl;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether Netty's native library of TLS can be used. Netty or the library may be missing, or be of versions that do not fit
 * together: a framework may choose them. So it is tried out once.
 */
final class NativeLibrary {
    private static final String REMEDY = " (put netty-handler and netty-tcnative-boringssl-static, the latter for this"
            + " machine, as netty-bom has them, on the class path)";

    private NativeLibrary() {}

    /** Tried out when somebody asks first. */
    private static final class Trial {
        private static final @Nullable String CAUSE = tryOut();
    }

    /** Whether it is on the class path, though it may not be possible to load it. */
    static boolean isPresent() {
        try {
            Class.forName("io.netty.internal.tcnative.SSL", false, NativeLibrary.class.getClassLoader());
            return true;
        } catch (final ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Why there can be no engines, and what helps; null when there can. */
    static @Nullable String whyNot() {
        return Trial.CAUSE;
    }

    private static @Nullable String tryOut() {
        if (!isPresent()) {
            return "it is not on the class path" + REMEDY;
        }
        try {
            if (!OpenSsl.isAvailable()) {
                return OpenSsl.unavailabilityCause() + REMEDY;
            }
            final String library = String.valueOf(OpenSsl.versionString());
            if (!library.equals("BoringSSL")) {
                return "the library is another one than BoringSSL: " + library + REMEDY;
            }
            if (!SslProvider.isTlsv13Supported(SslProvider.OPENSSL_REFCNT)) {
                return "the library does not know TLSv1.3" + REMEDY;
            }
            NativeEngines.tryOut();
            return null;
        } catch (final LinkageError | RuntimeException | IOException e) {
            return e + REMEDY;
        }
    }
}
