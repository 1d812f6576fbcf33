package io.penstock.broker.session.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What follows each state at each event; a dash is a mistake of the broker. */
class FeedStateTest {
    private static final String NONE = "-";

    private static final String TABLE = """
            event           LIVE     STATE   CURSOR  FILES   SWITCHING  STARTING  PARKED    WAITING   ENDED
            STATE_BEGUN     STATE    -       -       -       -          -         -         -         -
            CURSOR_STARTED  CURSOR   CURSOR  -       -       CURSOR     CURSOR    -         -         -
            FILES_STARTED   -        -       -       -       FILES      FILES     -         -         -
            FILES_READ      -        -       -       CURSOR  -          -         -         -         -
            CAUGHT_UP       -        -       LIVE    -       -          -         -         -         -
            RANGE_SENT      -        -       ENDED   ENDED   -          -         -         -         -
            LOST            -        -       ENDED   ENDED   -          -         -         -         -
            HELD_BACK       -        -       -       -       PARKED     PARKED    -         PARKED    -
            RESUMED         -        -       -       -       -          -         STARTING  STARTING  -
            PUT_OFF         WAITING  -       -       -       WAITING    -         -         -         -
            RELEASED        -        LIVE    -       -       -          -         -         LIVE      -
            """;

    @ParameterizedTest
    @MethodSource("cells")
    void shouldGoToNextStateOrRefuseWhenSomethingHappens(
            final FeedState state, final FeedEvent event, final String expected) {
        if (expected.equals(NONE)) {
            assertThatThrownBy(() -> state.after(event))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("feed: " + event + " cannot happen to one that is " + state);
        } else {
            assertThat(state.after(event)).isEqualTo(FeedState.valueOf(expected));
        }
    }

    @Test
    void shouldHaveEachStateAndEventInTable() {
        assertThat(cells()).hasSize(FeedState.values().length * FeedEvent.values().length);
        assertThat(cells().stream().map(cell -> List.of(cell.get()[0], cell.get()[1])))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldComeToEachStateWhenItIsBegunInItsShardOrInTheLog() {
        final Set<FeedState> reached = EnumSet.of(FeedState.LIVE, FeedState.SWITCHING);
        boolean isMore = true;
        while (isMore) {
            isMore = false;
            for (final Arguments cell : cells()) {
                if (reached.contains(cell.get()[0]) && !cell.get()[2].equals(NONE)) {
                    isMore |= reached.add(FeedState.valueOf((String) cell.get()[2]));
                }
            }
        }
        assertThat(reached).containsExactly(FeedState.values());
    }

    private static List<Arguments> cells() {
        final List<String[]> rows = TABLE.lines().map(line -> line.split(" +")).toList();
        final FeedState[] states =
                Arrays.stream(rows.get(0)).skip(1).map(FeedState::valueOf).toArray(FeedState[]::new);
        final List<Arguments> cells = new ArrayList<>();
        for (final String[] row : rows.subList(1, rows.size())) {
            assertThat(row).hasSize(states.length + 1);
            for (int i = 0; i < states.length; i++) {
                cells.add(Arguments.of(states[i], FeedEvent.valueOf(row[0]), row[i + 1]));
            }
        }
        return cells;
    }
}
