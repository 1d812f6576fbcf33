package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ReloadReport;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Principal;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReloadApiTest extends AdminFixture {
    private final AtomicInteger reloads = new AtomicInteger();

    @Override
    SecurityConfig security() {
        return new SecurityConfig(
                logon -> new Principal(logon.user()),
                (principal, action, topic) -> principal.name().equals("ann") || action != Action.ADMIN_WRITE,
                false,
                AnonymousAdministration.NONE);
    }

    private HttpResponse<String> reload(final String user) throws Exception {
        return send(request("/api/v1/reload")
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString((user + ":x").getBytes(StandardCharsets.UTF_8)))
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    @Test
    void shouldReloadForThoseWhoMayAndSayWhatCameOfIt() throws Exception {
        assertThat(reload("ann").statusCode()).isEqualTo(409);
        admin.onReload(() -> {
            reloads.incrementAndGet();
            return new ReloadReport(
                    List.of(new ReloadReport.Change("quota.topics", "1", "2")),
                    List.of(new ReloadReport.Change("admin.listen", "a", "b")),
                    List.of(new ReloadReport.Refusal("users", "line 3: no password")));
        });
        assertThat(reload("bob").statusCode()).isEqualTo(403);
        assertThat(reloads.get()).isZero();

        final HttpResponse<String> done = reload("ann");
        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(done.body())
                .isEqualTo("{\"applied\":[{\"key\":\"quota.topics\",\"before\":\"1\",\"after\":\"2\"}],"
                        + "\"restartNeeded\":[{\"key\":\"admin.listen\",\"before\":\"a\",\"after\":\"b\"}],"
                        + "\"refused\":[{\"what\":\"users\",\"reason\":\"line 3: no password\"}]}");
        assertThat(reloads.get()).isEqualTo(1);
    }
}
