package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.shard.command.OpenColumns;
import io.penstock.broker.shard.command.ShardOperations;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The agent that waits for a snapshot goes on when there is none. */
class OpenColumnsTest {
    @Test
    void shouldBeDoneWhenItFails() {
        final ShardOperations failing = (ShardOperations) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ShardOperations.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("test");
                });
        final AtomicInteger wakeupCount = new AtomicInteger();
        final OpenColumns command = new OpenColumns("t", wakeupCount::incrementAndGet);
        assertThatThrownBy(() -> command.execute(failing)).hasMessage("test");
        assertThat(command.isDone()).isTrue();
        assertThat(command.sources()).isEmpty();
        assertThat(wakeupCount).hasValue(1);
    }
}
