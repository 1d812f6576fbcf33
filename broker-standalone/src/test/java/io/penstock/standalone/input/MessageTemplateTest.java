package io.penstock.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTemplateTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-05-01T09:30:00.250Z"), ZoneOffset.UTC);

    @Test
    void shouldFillInEachPlaceholderWhenAMessageIsMade() {
        final MessageTemplate template = template("{\"n\":{{Count}},\"t\":\"{{Time}}\",\"ms\":{{ TimeMs }}}");

        assertThat(template.text(7)).isEqualTo("{\"n\":7,\"t\":\"2026-05-01T09:30:00.250Z\",\"ms\":1777627800250}");
    }

    @Test
    void shouldBeTheTextItselfWhenThereIsNoPlaceholder() {
        assertThat(template("{\"a\":{\"b\":{}}} }} {x}").text(1)).isEqualTo("{\"a\":{\"b\":{}}} }} {x}");
        assertThat(template("").text(1)).isEmpty();
    }

    @Test
    void shouldStayInTheRangeAndReachBothEndsWhenRandom() {
        final MessageTemplate template = template("{{Random -1 1}}");
        final Set<String> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            seen.add(template.text(i));
        }

        assertThat(seen).containsExactlyInAnyOrder("-1", "0", "1");
    }

    @Test
    void shouldDifferEachTimeWhenAnId() {
        final MessageTemplate template = template("{{Id}}");

        assertThat(template.text(1))
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
                .isNotEqualTo(template.text(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{Foo}}", "{{}}", "{{count}}", "{{Random 1}}", "{{Random 5 1}}", "{{Random a b}}"})
    void shouldBeRefusedWhenAPlaceholderIsNotKnown(final String text) {
        assertThatThrownBy(() -> template(text))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("--message: no")
                .hasMessageContaining(text);
    }

    private static MessageTemplate template(final String text) {
        return new MessageTemplate("--message", text, CLOCK, new Random(42));
    }
}
