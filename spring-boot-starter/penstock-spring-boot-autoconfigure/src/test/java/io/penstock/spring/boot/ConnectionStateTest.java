package io.penstock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.ConnectionListener;
import io.penstock.client.Disconnect;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class ConnectionStateTest {
    private static final Logger LOGGER = Logger.getLogger(ConnectionState.class.getName());
    private static final URI SERVER = URI.create("tcp://desk:9100");

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final ConnectionState state = new ConnectionState(List.of(), new NameRetreat(Duration.ofSeconds(10)));
    private final ConnectionListener client = state.listener();

    private static Disconnect away(final int attempt) {
        return new Disconnect("attempt " + attempt + " found nobody", null, attempt, 0);
    }

    @Test
    void shouldLogTheLossAndTheReturnOnceWhenTheBrokerIsAwayForAWhile() {
        final Handler handler = new Handler() {
            @Override
            public void publish(final LogRecord each) {
                logged.add(each.getLevel() + " " + each.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.addHandler(handler);
        try {
            client.onConnected(SERVER, 0);
            client.onDisconnected(away(0));
            client.onDisconnected(away(1));
            client.onDisconnected(away(2));
            client.onConnected(SERVER, 3);
        } finally {
            LOGGER.removeHandler(handler);
        }
        assertThat(logged)
                .containsExactly(
                        "WARNING penstock: the connection to tcp://desk:9100 is lost: attempt 0 found nobody",
                        "INFO penstock: connected again to tcp://desk:9100");
        assertThat(state.lossCount()).isEqualTo(1);
    }
}
