package io.penstock.spring.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.Message;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.annotation.PenstockRetryTopic;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who waits for an answer is told that there is none. */
class ErrorReplyTest {
    private static final AtomicInteger FAILURES = new AtomicInteger();

    static class Answers {
        @PenstockListener(topic = "doubles")
        @PenstockRetryTopic(attempts = "2", delay = "1ms")
        String on(final String text) {
            if (FAILURES.getAndDecrement() > 0) {
                throw new IllegalStateException("no number:\n" + text);
            }
            return text + text;
        }
    }

    @Test
    void shouldFailTheRequestWhenTheResponderGivesItUp() throws Exception {
        try (TestBroker broker = TestBroker.inproc();
                TestContext context = TestContext.start(broker.clients(), Answers.class)) {
            context.template().setRequestTimeout(Duration.ofSeconds(60));
            FAILURES.set(2);
            assertThatThrownBy(() -> context.template()
                            .request("doubles", "7", String.class)
                            .get(30, TimeUnit.SECONDS))
                    .rootCause()
                    .hasMessageContaining("request to doubles")
                    .hasMessageContaining("no number:\\u000a7");
            FAILURES.set(2);
            final Message reply =
                    context.template().request("doubles", "7", Message.class).get(30, TimeUnit.SECONDS);
            assertThat(reply.headers().text(PenstockHeaders.ERROR)).contains("no number");
        }
    }

    @Test
    void shouldAnswerWhenARetrySucceeds() throws Exception {
        try (TestBroker broker = TestBroker.inproc();
                TestContext context = TestContext.start(broker.clients(), Answers.class)) {
            FAILURES.set(1);
            assertThat(context.template().request("doubles", "7", String.class).get(30, TimeUnit.SECONDS))
                    .isEqualTo("77");
        }
    }
}
