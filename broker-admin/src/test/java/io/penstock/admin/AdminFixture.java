package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.event.Event;
import io.penstock.client.PenstockClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A broker in this process, with an admin server. */
@Timeout(60)
abstract class AdminFixture {
    static final String ENDPOINT = "inproc:admin-test";

    final Queue<Event> events = new ConcurrentLinkedQueue<>();
    HttpClient http = HttpClient.newHttpClient();
    Broker broker;
    AdminServer admin;

    BrokerConfig.Builder brokerConfig() {
        return BrokerConfig.builder()
                .listen(ENDPOINT)
                .topic(TopicConfig.keyed("prices", "json", "/symbol"))
                .events(events::add);
    }

    SecurityConfig security() {
        return SecurityConfig.defaults();
    }

    AdminConfig config() {
        return AdminConfig.listening("http://127.0.0.1:0");
    }

    @BeforeEach
    void launch() {
        broker = Broker.launch(brokerConfig().security(security()).build());
        admin = AdminServer.launch(config(), broker);
    }

    @AfterEach
    void close() {
        admin.close();
        broker.close();
    }

    PenstockClient connect() {
        return PenstockClient.connect(ENDPOINT);
    }

    URI uri(final String path) {
        return URI.create(admin.endpoint() + path);
    }

    HttpRequest.Builder request(final String path) {
        return HttpRequest.newBuilder(uri(path)).header("X-Penstock-Request", "1");
    }

    HttpResponse<String> send(final HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(final String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    HttpResponse<String> post(final String path, final String body) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    HttpResponse<String> delete(final String path) throws IOException, InterruptedException {
        return send(request(path).DELETE());
    }

    JsonValue ok(final String path) throws IOException, InterruptedException {
        final HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonValue.parse(response.body());
    }
}
