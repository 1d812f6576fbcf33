package io.penstock.broker.security.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.penstock.test.tls.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Gives keys over HTTPS, or whatever a test wants it to. */
final class KeyServer implements AutoCloseable {
    final AtomicInteger requestCount = new AtomicInteger();
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile HttpHandler handler;

    KeyServer(final TestCertificate certificate, final HttpHandler handler)
            throws IOException, GeneralSecurityException {
        this.handler = handler;
        final KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "own", certificate.key(), new char[0], certificate.chain().toArray(new Certificate[0]));
        final KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(final HttpExchange exchange) throws IOException {
        requestCount.incrementAndGet();
        handler.handle(exchange);
    }

    void handler(final HttpHandler value) {
        handler = value;
    }

    static HttpHandler text(final String text) {
        return exchange -> {
            final byte[] bytes = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    String address() {
        return "https://127.0.0.1:" + server.getAddress().getPort() + "/keys";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
