package io.penstock.standalone.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.client.ClientTls;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.context.TlsOptions;
import io.penstock.standalone.input.Passwords;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import io.penstock.transport.tls.TlsReasons;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which admin server is asked, and by whom. */
public final class AdminOptions {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Option(
            names = "--admin",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:9180",
            description = "The broker's admin server (default: ${DEFAULT-VALUE}).")
    private String admin;

    @Option(
            names = "--user",
            paramLabel = "USER",
            defaultValue = "",
            description = "User to log on as; the terminal asks for the password, unless it is in --password-file or"
                    + " $PENSTOCK_PASSWORD.")
    private String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "File whose first line is the password; - for standard input.")
    private String passwordFile;

    @Mixin
    private TlsOptions tls;

    /** Made by the command line. */
    public AdminOptions() {}

    /** All items of a list, from page to page. */
    List<Map<String, String>> list(final String path) {
        return list(path, Map.of());
    }

    /**
     * All items of a list, from page to page.
     *
     * @param path       of the list, from {@code /api} on.
     * @param parameters of the request, by name.
     * @return the fields of each that are texts, numbers or truth values, by name.
     * @throws CommandFailure when the server refuses, cannot be reached, or answers with something else.
     */
    public List<Map<String, String>> list(final String path, final Map<String, String> parameters) {
        final List<Map<String, String>> items = new ArrayList<>();
        String cursor = "";
        do {
            final String body = send("GET", path + "?limit=1000&cursor=" + encoded(cursor) + joined(parameters));
            try {
                cursor = read(body, items);
            } catch (final IOException e) {
                throw CommandFailure.failed("--admin: not an admin server: " + admin + " (its answer is no list)");
            }
        } while (!cursor.isEmpty());
        return items;
    }

    /** Deletes something. */
    void delete(final String path) {
        send("DELETE", path);
    }

    /**
     * Deletes something.
     *
     * @param path       of it, from {@code /api} on.
     * @param parameters of the request, by name.
     * @throws CommandFailure when the server refuses, or cannot be reached.
     */
    public void delete(final String path, final Map<String, String> parameters) {
        final String query = joined(parameters);
        send("DELETE", query.isEmpty() ? path : path + "?" + query.substring(1));
    }

    /**
     * A name as a part of a path.
     *
     * @param name any.
     * @return the name, in which signs that a path gives a meaning are replaced.
     */
    public static String segment(final String name) {
        return encoded(name).replace("+", "%20");
    }

    /** Parameters, each with a sign before it. */
    private static String joined(final Map<String, String> parameters) {
        final StringBuilder joined = new StringBuilder();
        parameters.forEach(
                (name, value) -> joined.append('&').append(name).append('=').append(encoded(value)));
        return joined.toString();
    }

    private static String encoded(final String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Adds the items of a page. Returns where the next one begins; empty at the end. */
    private static String read(final String body, final List<Map<String, String>> items) throws IOException {
        String next = "";
        try (JsonParser parser = JSON.createParser(body)) {
            Map<String, String> item = new LinkedHashMap<>();
            int depth = 0;
            JsonToken token;
            while ((token = parser.nextToken()) != null) {
                if (token == JsonToken.START_OBJECT && ++depth == 2) {
                    item = new LinkedHashMap<>();
                } else if (token == JsonToken.END_OBJECT && depth-- == 2) {
                    items.add(item);
                } else if (token.isScalarValue() && depth == 2) {
                    item.put(String.valueOf(parser.currentName()), parser.getText());
                } else if (token.isScalarValue() && "next".equals(parser.currentName())) {
                    next = parser.getText();
                }
            }
        }
        return next;
    }

    private String send(final String method, final String path) {
        final HttpRequest.Builder request;
        try {
            request = HttpRequest.newBuilder(URI.create(admin + path));
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("--admin: not a URL: " + admin + " (use for example http://127.0.0.1:9180)");
        }
        request.timeout(TIMEOUT).header("X-Penstock-Request", "1").method(method, HttpRequest.BodyPublishers.noBody());
        if (!user.isEmpty()) {
            request.header("Authorization", "Basic " + credentials());
        }
        try {
            final HttpResponse<String> response = client().send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw CommandFailure.failed(detail(response));
            }
            return response.body();
        } catch (final SSLException e) {
            throw CommandFailure.failed("--admin: " + admin + ": " + TlsReasons.of(e));
        } catch (final IOException e) {
            throw CommandFailure.failed("--admin: " + reason(e));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted");
        }
    }

    private String reason(final IOException error) {
        if (error instanceof ConnectException || error instanceof HttpConnectTimeoutException) {
            return "cannot be reached: " + admin
                    + " (start the broker with --admin, or give the URL of its admin server)";
        }
        final String what = error instanceof HttpTimeoutException
                ? admin + " has not answered in " + TIMEOUT.toSeconds() + " s"
                : admin + " does not answer with HTTP";
        return what + " (is it an admin server? If it speaks TLS its URL begins with https://, else with http://)";
    }

    private HttpClient client() {
        final HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        if (admin.startsWith("https:")) {
            final ClientTls files = tls.files().client();
            try {
                final TlsContexts contexts = TlsContexts.forClient(files.config(), files.isHostChecked());
                client.sslContext(contexts.context()).sslParameters(contexts.clientParameters());
            } catch (final TlsException e) {
                throw CommandFailure.badInput(String.valueOf(e.getMessage()));
            }
        }
        return client.build();
    }

    private String credentials() {
        return Base64.getEncoder()
                .encodeToString((user + ":" + Passwords.ofUser(user, passwordFile)).getBytes(StandardCharsets.UTF_8));
    }

    private String detail(final HttpResponse<String> response) {
        try (JsonParser parser = JSON.createParser(response.body())) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING && "detail".equals(parser.currentName())) {
                    return parser.getText();
                }
            }
        } catch (final IOException e) {
            // Said below.
        }
        return "--admin: " + admin + " answers with status " + response.statusCode() + " (is it an admin server?)";
    }
}
