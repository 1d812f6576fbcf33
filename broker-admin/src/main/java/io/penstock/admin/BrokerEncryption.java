package io.penstock.admin;

import io.penstock.admin.http.Encryption;
import io.penstock.transport.tls.ReleasableEngine;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsReasons;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/**
 * Encrypts with certificates that may change.
 *
 * @param certificates gives those of the next connection.
 */
record BrokerEncryption(Supplier<TlsContexts> certificates) implements Encryption {
    @Override
    public SSLEngine newEngine() {
        return certificates.get().boundedServerEngine();
    }

    @Override
    public void release(final SSLEngine engine) {
        ReleasableEngine.release(engine);
    }

    @Override
    public Executor tasks() {
        return certificates.get().tasks();
    }

    @Override
    public long handshakeTimeoutMs() {
        return TimeUnit.NANOSECONDS.toMillis(certificates.get().handshakeTimeoutNs());
    }

    @Override
    public String reasonOf(final Throwable error) {
        return TlsReasons.of(error);
    }
}
