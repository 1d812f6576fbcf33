package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class FailureLogTest {
    private final List<String> logged = new ArrayList<>();

    @Test
    void shouldGoOnWhenTheLoggerFailsWithAnError() {
        final Logger logger = Logger.getLogger(FailureLog.class.getName());
        final Handler failing = new Failing();
        logger.addHandler(failing);
        try {
            final EmbeddedChannel channel = new EmbeddedChannel(new FailureLog());
            channel.pipeline().fireExceptionCaught(new IOException("Too many open files"));
            channel.checkException();

            assertThat(channel.isOpen()).isTrue();
            assertThat(logged).containsExactly("bridge: a connection cannot be accepted (tried again)");
        } finally {
            logger.removeHandler(failing);
        }
    }

    private final class Failing extends Handler {
        @Override
        public void publish(final LogRecord entry) {
            logged.add(entry.getMessage());
            throw new ExceptionInInitializerError("tzdb.dat (Too many open files)");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
