package io.penstock.broker.session.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.session.connect.ClientDirectory.Holder;
import org.junit.jupiter.api.Test;

class ClientDirectoryTest {
    private static final Holder FIRST = new Holder(0, 1);
    private static final Holder SECOND = new Holder(1, 2);

    private final ClientDirectory directory = new ClientDirectory();

    @Test
    void shouldSayWhoHadANameWhenAnotherTakesIt() {
        assertThat(directory.take("ann", "feed", FIRST)).isNull();
        assertThat(directory.take("ann", "feed", SECOND)).isEqualTo(FIRST);
    }

    @Test
    void shouldLeaveANameToWhoHasItNowWhenAnEarlierHolderGivesItBack() {
        directory.take("ann", "feed", FIRST);
        directory.take("ann", "feed", SECOND);

        directory.giveBack("ann", "feed", FIRST);
        assertThat(directory.take("ann", "feed", FIRST)).isEqualTo(SECOND);

        directory.giveBack("ann", "feed", FIRST);
        assertThat(directory.take("ann", "feed", SECOND)).isNull();
    }

    @Test
    void shouldKeepUsersApartWhenTheirNamesRunTogether() {
        assertThat(directory.take("a", "bc", FIRST)).isNull();
        assertThat(directory.take("ab", "c", SECOND)).isNull();
        assertThat(directory.take("", "abc", SECOND)).isNull();
    }
}
