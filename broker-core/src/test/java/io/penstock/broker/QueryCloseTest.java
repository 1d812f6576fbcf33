package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.collect.QueryMemory;
import io.penstock.client.SowRequest;
import org.junit.jupiter.api.Test;

/** What queries have taken of the memory of the process when their broker is closed. */
class QueryCloseTest {
    private static final int RECORD_COUNT = 20_000;

    @Test
    void shouldGiveItBackWhenAClientHasNotTakenItsPages() {
        final long heapBefore = QueryMemory.OF_HEAP.taken();
        final long pagesBefore = QueryMemory.OF_PAGES.taken();
        final TestBroker broker = new TestBroker(builder -> builder.topic(TopicConfig.keyed("quotes", "json", "s")));
        try {
            final StateClient client = new StateClient(broker);
            for (int i = 0; i < RECORD_COUNT; i++) {
                client.publish("quotes", "{\"s\":" + i + ",\"text\":\"" + "x".repeat(200) + "\"}");
            }
            client.flush();
            client.paused = true;
            client.offer(
                    () -> client.session.offerSow(7, SowRequest.topic("quotes").orderBy("text, s")));
            broker.await(() -> QueryMemory.OF_PAGES.taken() > pagesBefore);
            assertThat(QueryMemory.OF_HEAP.taken()).isGreaterThan(heapBefore);
        } finally {
            broker.close();
        }
        assertThat(QueryMemory.OF_HEAP.taken()).isEqualTo(heapBefore);
        assertThat(QueryMemory.OF_PAGES.taken()).isEqualTo(pagesBefore);
    }
}
