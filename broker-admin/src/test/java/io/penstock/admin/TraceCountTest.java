package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Clients that are about to be traced count: requests that come before the broker has answered do not get by the bound. */
class TraceCountTest extends AdminFixture {
    private static final int COUNT_MAX = 8;
    private static final int ASKED = 12;

    @Override
    BrokerConfig.Builder brokerConfig() {
        // It answers when the test lets it.
        return super.brokerConfig().threading(ThreadingMode.INVOKER);
    }

    private List<Integer> statuses() throws Exception {
        final List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < ASKED; i++) {
            asked.add(http.sendAsync(
                    request("/api/v1/clients/4711/trace").build(), HttpResponse.BodyHandlers.ofString()));
        }
        while (asked.stream().filter(CompletableFuture::isDone).count() < ASKED - COUNT_MAX) {
            Thread.onSpinWait();
        }
        final List<Integer> statuses = new ArrayList<>();
        while (!asked.stream().allMatch(CompletableFuture::isDone)) {
            broker.invoke();
        }
        for (final CompletableFuture<HttpResponse<String>> each : asked) {
            statuses.add(each.get().statusCode());
        }
        return statuses;
    }

    @Test
    void shouldRefuseMoreThanAreTracedAtATime() throws Exception {
        for (int round = 0; round < 2; round++) {
            final List<Integer> statuses = statuses();
            assertThat(statuses).filteredOn(status -> status == 503).hasSize(ASKED - COUNT_MAX);
            // There is no such client, which only the broker knows.
            assertThat(statuses).filteredOn(status -> status == 404).hasSize(COUNT_MAX);
        }
    }
}
