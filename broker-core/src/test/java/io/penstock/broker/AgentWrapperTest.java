package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AgentWrapperTest {
    private final List<String> wrapped = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource(
            value = ThreadingMode.class,
            names = {"SHARED", "DEDICATED"})
    void shouldWrapEachAgentThatGetsAThread(final ThreadingMode threading) {
        Broker.launch(config(threading)).close();

        assertThat(wrapped)
                .contains("query-0", threading == ThreadingMode.SHARED ? "broker" : "sequencer-0")
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldWrapNothingWhenTheCallerDrivesTheAgents() {
        Broker.launch(config(ThreadingMode.INVOKER)).close();

        assertThat(wrapped).isEmpty();
    }

    private BrokerConfig config(final ThreadingMode threading) {
        return BrokerConfig.builder()
                .listen("inproc:wrapper-" + threading)
                .threading(threading)
                .agentWrapper(agent -> {
                    wrapped.add(agent.roleName());
                    return agent;
                })
                .build();
    }
}
