package io.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class MessagesTest {
    @Test
    void shouldMarkEachMessageWithItsNumberWhenOpaque() {
        final Messages messages = Messages.opaque(100);

        for (final long number : new long[] {0, 1, 1_000_000_007L}) {
            final UnsafeBuffer message = messages.message(number);
            assertThat(message.capacity()).isEqualTo(100);
            assertThat(messages.number(message, 0)).isEqualTo(number);
        }
    }

    @Test
    void shouldStayJsonOfTheSameLengthWhenMarked() {
        final Messages messages = Messages.lines("f", List.of("{\"a\":1}", "", "{ }"), Messages.JSON_FORMAT);

        assertThat(text(messages.message(0))).isEqualTo("{\"_n\":1000000000000000,\"a\":1}");
        assertThat(text(messages.message(3))).isEqualTo("{\"_n\":1000000000000003}");
        assertThat(messages.number(messages.message(123_456_789_012L), 0)).isEqualTo(123_456_789_012L);
    }

    @Test
    void shouldSayWhichDocumentsMatchWhenThereIsAFilter() {
        final Messages messages =
                Messages.lines("f", List.of("{\"a\":1}", "{\"a\":5}", "{\"b\":5}"), Messages.JSON_FORMAT);

        assertThat(messages.matches("a > 2")).containsExactly(false, true, false);
        assertThat(messages.matches("")).containsExactly(true, true, true);
    }

    @Test
    void shouldNameFileAndLineWhenALineIsNoObject() {
        assertThatThrownBy(() -> Messages.lines("in.ndjson", List.of("{\"a\":1}", "[1]"), Messages.JSON_FORMAT))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("in.ndjson: not a JSON object: line 2 (");
    }

    @Test
    void shouldNameTheFileWhenItIsEmpty() {
        assertThatThrownBy(() -> Messages.lines("in.ndjson", List.of("", " "), Messages.OPAQUE_FORMAT))
                .hasMessageStartingWith("in.ndjson: has no lines");
    }

    private static String text(final UnsafeBuffer message) {
        return message.getStringWithoutLengthUtf8(0, message.capacity());
    }
}
