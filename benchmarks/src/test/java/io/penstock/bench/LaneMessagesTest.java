package io.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaneMessagesTest {
    private final LaneMessages messages = new LaneMessages(100);

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 100, 1_000})
    void shouldMatchExactlyTheSubscriptionThatIsForetoldWhenLanesAreShared(final int count) {
        for (long number = 0; number < 60; number++) {
            final long each = number;
            assertThat(IntStream.range(0, count).filter(i -> isMatch(LaneMessages.filterOfPart(i, count), each)))
                    .containsExactly(LaneMessages.subscription(number, count));
        }
    }

    @Test
    void shouldMatchEverythingWhenTheFilterIsOfAll() {
        for (long number = 0; number < 300; number++) {
            assertThat(isMatch(LaneMessages.filterOfAll(0), number)).isTrue();
            assertThat(isMatch(LaneMessages.filterOfAll(999), number)).isTrue();
        }
    }

    @Test
    void shouldMoveWhenTheSameKeyWasInAnotherSubscriptionBefore() {
        assertThat(messages.isMove(150, 1)).isFalse();
        for (long number = 100; number < 300; number++) {
            assertThat(messages.isMove(number, 10))
                    .isEqualTo(LaneMessages.subscription(number, 10) != LaneMessages.subscription(number - 100, 10));
        }
    }

    private boolean isMatch(final String text, final long number) {
        final FieldSet fields = new FieldSet();
        final Filter filter = FilterCompiler.compile(text, fields, FilterLimits.DEFAULTS);
        final FieldReader reader = MessageFormats.formatFor("json").newReader(fields);
        final UnsafeBuffer message = messages.message(number);
        reader.wrap(message, 0, messages.length());
        return filter.matches(reader);
    }
}
