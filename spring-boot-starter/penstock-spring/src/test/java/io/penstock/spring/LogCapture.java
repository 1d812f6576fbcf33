package io.penstock.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What one class logs from now on. */
public final class LogCapture implements AutoCloseable {
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Handler handler = new Handler() {
        @Override
        public void publish(final LogRecord logged) {
            if (logged.getThrown() != null) {
                thrown.add(logged.getThrown());
            }
            texts.add(logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    public LogCapture(final Class<?> type) {
        logger = Logger.getLogger(type.getName());
        logger.addHandler(handler);
    }

    public List<String> texts() {
        return texts;
    }

    /** What was logged with its stack. */
    public List<Throwable> thrown() {
        return thrown;
    }

    public boolean has(final String part) {
        return texts.stream().anyMatch(text -> text.contains(part));
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
