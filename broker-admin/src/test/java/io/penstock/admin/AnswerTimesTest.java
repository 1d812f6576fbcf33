package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerTimesTest extends AdminFixture {
    @Test
    void shouldCountAnswersOfAgentsWhileSomebodyLooks() throws Exception {
        try (Sse stream = new Sse(admin.endpoint(), "/api/v1/stream/stats")) {
            long count = 0;
            while (count < 20) {
                final JsonValue latency = stream.next().at("latency");
                final List<JsonValue> counts = latency.at("counts").list();
                assertThat(counts).hasSize(latency.at("leUs").list().size() + 1);
                for (final JsonValue bucket : counts) {
                    count += Long.parseLong(bucket.toString());
                }
            }
        }
    }
}
