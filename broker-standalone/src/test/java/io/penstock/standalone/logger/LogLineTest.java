package io.penstock.standalone.logger;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import java.lang.System.Logger.Level;
import org.junit.jupiter.api.Test;

class LogLineTest {
    private static final long TIME_MS = 1_772_366_400_123L;

    @Test
    void shouldHaveTimeLevelAreaAndPairsWhenText() {
        final Event event = Event.of(EventKind.SESSION_CLOSED, TIME_MS, "peer", "tcp://127.0.0.1:1", "reason", "a b");

        assertThat(LogLine.of("session", event).text())
                .isEqualTo("2026-03-01T12:00:00.123Z WARNING session closed peer=tcp://127.0.0.1:1 reason=\"a b\"\n");
    }

    @Test
    void shouldBeOneObjectWhenJson() {
        final Event event = Event.of(EventKind.STOPPED, TIME_MS, "messages", 3L, "isDone", true, "reason", "a\n\"b");

        assertThat(LogLine.of("broker", event).json())
                .isEqualTo("{\"time\":\"2026-03-01T12:00:00.123Z\",\"level\":\"INFO\",\"area\":\"broker\","
                        + "\"event\":\"stopped\",\"messages\":3,\"isDone\":true,\"reason\":\"a\\n\\\"b\"}\n");
    }

    @Test
    void shouldHaveTheMessageAndTheStackWhenAnotherLoggerSaysIt() {
        final LogLine line =
                LogLine.of(TIME_MS, Level.WARNING, "client", "handler failed", new IllegalStateException("x\ny"));

        assertThat(line.text())
                .startsWith("2026-03-01T12:00:00.123Z WARNING client message=\"handler failed\""
                        + " exception=java.lang.IllegalStateException reason=\"x\\ny\"\n")
                .contains("\n    at io.penstock.standalone.logger.LogLineTest.");
        assertThat(line.json()).hasLineCount(1).contains("\"stack\":\"java.lang.IllegalStateException: x\\ny\\n\\tat ");
    }

    @Test
    void shouldNotBeginALineWhenTheMessageOfAFailureDoes() {
        final LogLine line = LogLine.of(
                TIME_MS,
                Level.WARNING,
                "client",
                "handler failed",
                new IllegalStateException("x\n2026-03-01T12:00:00.123Z INFO session loggedOn\r"));

        assertThat(line.text().lines().skip(1)).isNotEmpty().allMatch(each -> each.startsWith("    "));
        assertThat(line.text()).doesNotContain("\r");
    }

    @Test
    void shouldComeFromEveryLoggerOfTheProcess() {
        assertThat(System.getLogger("io.penstock.client")).isInstanceOf(LineLogger.class);
    }
}
