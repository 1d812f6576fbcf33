package io.penstock.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.file.OwnerOnly;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.openssl.NettyEngineProvider;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Which engine a side has, by its settings and by what is on the class path. */
class EngineSelectionTest {
    private static final String LIBRARY = "io.penstock.transport.tls.openssl.NettyEngineProvider#canBeUsed";
    private static final String NO_LIBRARY = "netty-tcnative is not there";
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final TestCertificate CERTIFICATE = AUTHORITY.issue("own", "127.0.0.1");

    /** A class of each jar, or folder, that TLS takes. */
    private static final List<Class<?>> NEEDED =
            List.of(EngineSelectionTest.class, TlsContexts.class, OwnerOnly.class, NanoClock.class);

    private static final String NETTY_HANDLER = "io.netty.handler.ssl.OpenSsl";
    private static final String NETTY_BUFFER = "io.netty.buffer.ByteBuf";
    private static final String NETTY_COMMON = "io.netty.util.ReferenceCounted";
    private static final String TCNATIVE = "io.netty.internal.tcnative.SSL";

    @TempDir
    Path folder;

    private TlsConfig own(final EngineChoice engine) {
        return TlsConfig.defaults()
                .certificate(
                        CERTIFICATE.writeCertificate(folder.resolve("own.pem")),
                        CERTIFICATE.writeKey(folder.resolve("own.key")))
                .engine(engine);
    }

    private static String engineOf(final TlsConfig config) throws TlsException {
        return TlsContexts.forServer(config, InstantSource.system()).engine();
    }

    @Test
    void shouldUseTheJdksWhenToldTo() throws TlsException {
        assertThat(engineOf(own(EngineChoice.JDK))).isEqualTo("jdk");
    }

    @Test
    @EnabledIf(value = LIBRARY, disabledReason = NO_LIBRARY)
    void shouldUseTheNativeOneWhenItCanDoAllThatIsAskedFor() throws TlsException {
        assertThat(engineOf(own(EngineChoice.AUTO))).isEqualTo("native (BoringSSL)");
        assertThat(engineOf(own(EngineChoice.NATIVE))).isEqualTo("native (BoringSSL)");
        assertThat(TlsContexts.forClient(TlsConfig.defaults(), true).engine()).isEqualTo("native (BoringSSL)");
    }

    @Test
    @EnabledIf(value = LIBRARY, disabledReason = NO_LIBRARY)
    void shouldUseTheJdksAndSayWhyWhenTheNativeOneCannotBeKeptToCiphers() throws TlsException {
        final List<String> one = List.of("TLS_AES_256_GCM_SHA384");
        final List<String> protocols = List.of("TLSv1.3");
        assertThat(engineOf(own(EngineChoice.AUTO).protocols(protocols, one)))
                .isEqualTo("jdk, since native cannot be used: it cannot be kept to some cipher suites of TLSv1.3:"
                        + " tls.ciphers (leave the key out)");
        assertRefuses(own(EngineChoice.NATIVE).protocols(protocols, one), "tls.ciphers (leave the key out)");
        final List<String> older = List.of("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
        assertThat(engineOf(own(EngineChoice.AUTO).protocols(List.of("TLSv1.2"), older)))
                .isEqualTo("native (BoringSSL)");
    }

    private static void assertRefuses(final TlsConfig config, final String reason) {
        assertThatThrownBy(() -> engineOf(config))
                .isInstanceOf(TlsException.class)
                .hasMessageStartingWith("tls.engine: native cannot be used: ")
                .hasMessageContaining(reason)
                .hasMessageEndingWith("(use auto or jdk)");
    }

    @Test
    @EnabledIf(value = LIBRARY, disabledReason = NO_LIBRARY)
    void shouldUseTheJdksAndSayWhyWhenAProgramGivesItsCertificates() throws Exception {
        final SSLContext context = SSLContext.getDefault();
        final TlsConfig given = TlsConfig.defaults().source(() -> context);
        assertThat(engineOf(given)).startsWith("jdk, since native cannot be used: the program gives");
        assertRefuses(given.engine(EngineChoice.NATIVE), "(give files)");
    }

    @Test
    @EnabledIf(value = LIBRARY, disabledReason = NO_LIBRARY)
    void shouldSayWhyWhenTheNativeOneCannotSignByAKey() throws Exception {
        final PrivateKey key =
                KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
        final TlsMaterial material = new TlsMaterial(TlsConfig.defaults(), key, List.of(), List.of(), true, false);
        assertThat(new NettyEngineProvider().whyNot(material))
                .isEqualTo("it has no signatures by keys of this kind: tls.key: EdDSA (use a key of EC or RSA)");
    }

    /** As if the other jars were not there; frameworks bring what they like. */
    @Test
    void shouldUseTheJdksAndNameTheJarsWhenThereIsNoNetty() throws Exception {
        assertEngineOnlyWith();
    }

    @Test
    @EnabledIf(value = LIBRARY, disabledReason = NO_LIBRARY)
    void shouldUseTheJdksAndNameTheJarsWhenThereIsNoLibrary() throws Exception {
        assertEngineOnlyWith(NETTY_HANDLER, NETTY_BUFFER, NETTY_COMMON);
    }

    @Test
    @EnabledIf(value = LIBRARY, disabledReason = NO_LIBRARY)
    void shouldUseTheJdksAndNameTheJarsWhenThereIsNoHandlerOfNetty() throws Exception {
        assertEngineOnlyWith(TCNATIVE, NETTY_BUFFER, NETTY_COMMON);
    }

    /** Its classes alone do not encrypt. */
    @Test
    @EnabledIf(value = LIBRARY, disabledReason = NO_LIBRARY)
    void shouldUseTheJdksAndNameTheJarsWhenTheLibraryIsOfAnotherMachine() throws Exception {
        assertEngineOnlyWith(TCNATIVE, NETTY_HANDLER, NETTY_BUFFER, NETTY_COMMON);
    }

    private void assertEngineOnlyWith(final String... libraries) throws Exception {
        own(EngineChoice.AUTO);
        final List<URL> urls = new ArrayList<>();
        for (final Class<?> needed : NEEDED) {
            urls.add(locationOf(needed));
        }
        for (final String library : libraries) {
            urls.add(locationOf(Class.forName(library, false, getClass().getClassLoader())));
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            final Class<?> there = loader.loadClass(SelectedEngine.class.getName());
            final Method method = there.getDeclaredMethod("of", String.class, Path.class);
            method.setAccessible(true);
            assertThat((String) method.invoke(null, "AUTO", folder)).startsWith("jdk");
            assertThatThrownBy(() -> method.invoke(null, "NATIVE", folder))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .hasMessageStartingWith("tls.engine: native cannot be used: ")
                    .hasMessageContaining("netty-handler and netty-tcnative-boringssl-static");
        }
    }

    private static URL locationOf(final Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    /** Called in another class loader. */
    static final class SelectedEngine {
        private SelectedEngine() {}

        static String of(final String engine, final Path files) throws IOException {
            return TlsContexts.forClient(
                            TlsConfig.defaults()
                                    .certificate(
                                            files.resolve("own.pem").toString(),
                                            files.resolve("own.key").toString())
                                    .engine(EngineChoice.valueOf(engine)),
                            true)
                    .engine();
        }
    }
}
