package io.penstock.admin;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.HttpServer;
import io.penstock.admin.http.Problem;
import io.penstock.admin.http.Refusals;
import io.penstock.admin.http.ServerSettings;
import io.penstock.broker.event.LoggerClasses;
import io.penstock.broker.security.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** A server for tests, in a process of its own: it prints its port, and then what fails, until its input ends. */
final class ServedWords {
    private ServedWords() {}

    @SuppressWarnings("SystemOut") // Is read by the test.
    public static void main(final String[] args) throws IOException {
        LoggerClasses.load();
        final Refusals refusals = new Refusals() {
            @Override
            public void onRefused(final String peer, final String user, final Problem problem) {}

            @Override
            public void onTlsFailed(final String peer, final String reason) {}

            @Override
            public void onError(final Throwable error) {
                System.out.println("error " + error.getMessage());
                // As a logger does whose classes cannot be loaded.
                throw new ExceptionInInitializerError("logger");
            }
        };
        final ServerSettings settings = new ServerSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                List.of(),
                10_000,
                1024,
                5_000,
                5_000,
                null);
        try (HttpServer server = new HttpServer(settings, ServedWords::answer, refusals, Identity::host)) {
            System.out.println(server.address().getPort());
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static void answer(final Exchange exchange) {
        switch (exchange.request().segments().get(0)) {
            case "error" -> throw new ExceptionInInitializerError("handler");
            case "later" ->
                exchange.thread().execute(() -> {
                    exchange.text("text/plain", "done");
                    throw new ExceptionInInitializerError("later");
                });
            default -> exchange.text("text/plain", "done");
        }
    }
}
