package io.penstock.broker.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class EnduringAgentTest {
    private final List<String> failures = new ArrayList<>();
    private final AtomicInteger turns = new AtomicInteger();

    @Test
    void shouldGoOnAfterAnErrorUntilTheAgentEnds() {
        final AgentRunner runner = new AgentRunner(
                new BusySpinIdleStrategy(),
                failure -> failures.add(String.valueOf(failure.getMessage())),
                null,
                new EnduringAgent(new Failing()));
        runner.run();

        assertThat(turns.get()).isEqualTo(3);
        assertThat(failures)
                .containsExactly(
                        "agent failing: java.lang.ExceptionInInitializerError: 1",
                        "agent failing: java.lang.StackOverflowError: 2",
                        "3");
        assertThat(runner.isClosed()).isTrue();
    }

    private final class Failing implements Agent {
        @Override
        public int doWork() {
            switch (turns.incrementAndGet()) {
                case 1 -> throw new ExceptionInInitializerError("1");
                case 2 -> throw new StackOverflowError("2");
                default -> throw new AgentTerminationException("3");
            }
        }

        @Override
        public String roleName() {
            return "failing";
        }
    }
}
