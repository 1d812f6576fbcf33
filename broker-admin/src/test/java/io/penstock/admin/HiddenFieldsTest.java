package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Role;
import io.penstock.client.PenstockClient;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server's callers see no more of messages than other clients. */
class HiddenFieldsTest extends AdminFixture {
    private static final String SHOWN = "{\"symbol\":\"A\",\"price\":1}";

    @Override
    BrokerConfig.Builder brokerConfig() {
        return super.brokerConfig()
                .topic(TopicConfig.keyed("orders", "json", "/id").withColumns("trader"))
                .permissions(new PermissionsConfig(
                        "",
                        List.of(new Role(
                                Role.EVERYONE,
                                List.of(
                                        PermissionRule.allow(List.of("list", "write", "admin-read"), List.of("*"), ""),
                                        PermissionRule.allow(List.of("read"), List.of("*"), "")
                                                .hiding(List.of("trader")))))));
    }

    @Test
    void shouldNotTellHowLongMessagesAre() throws Exception {
        try (PenstockClient client = connect()) {
            client.publish("prices", "{\"symbol\":\"A\",\"trader\":\"S3CRET\",\"price\":1}");
            client.flush();
        }

        assertThat(get("/api/v1/topics").body()).contains("\"rows\":1").doesNotContain("memoryBytes");
    }

    @Test
    @Timeout(60)
    void shouldNotTellHowMuchColumnsHave() throws Exception {
        try (PenstockClient client = connect()) {
            client.publish("orders", "{\"id\":1,\"trader\":\"S3CRET\"}");
            client.flush();
        }
        while (broker.monitor().columns("orders").stream().noneMatch(each -> each.rows() == 1)) {
            Thread.onSpinWait();
        }

        assertThat(get("/api/v1/columns").body())
                .contains("\"field\":\"trader\"", "\"scans\":0")
                .doesNotContain("bytes", "rows", "texts");
    }

    @Test
    void shouldLeaveOutWhatIsHiddenFromTheCaller() throws Exception {
        try (PenstockClient client = connect();
                Sse tail = new Sse(admin.endpoint(), "/api/v1/stream/tail?topic=prices")) {
            client.publish("prices", "{\"symbol\":\"A\",\"trader\":\"S3CRET\",\"price\":1}");
            client.flush();
            assertThat(tail.next().text("payload")).isEqualTo(SHOWN);
        }
        final HttpResponse<String> found = post("/api/v1/query", "{\"topic\":\"prices\"}");
        assertThat(found.body()).contains("price").doesNotContain("S3CRET");
        try (Sse replay = new Sse(admin.endpoint(), "/api/v1/stream/tail?topic=p.*&pattern=true&from=epoch&to=now")) {
            assertThat(replay.next().text("payload")).isEqualTo(SHOWN);
        }
        final HttpResponse<String> refused =
                post("/api/v1/query", "{\"topic\":\"prices\",\"filter\":\"trader = 'S3CRET'\"}");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
        assertThat(refused.body()).contains("NOT_ENTITLED").contains("/trader is hidden");
    }
}
