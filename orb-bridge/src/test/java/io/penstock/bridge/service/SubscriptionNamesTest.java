package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.Bookmark;
import io.penstock.client.BookmarkStore;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubscriptionNamesTest {
    private final BookmarkStore store = BookmarkStore.inMemory();
    private final SubscriptionNames names = new SubscriptionNames(store);

    @Test
    void shouldKeepUsersApartWhenTheirNamesRunTogether() throws Exception {
        final String one = names.take("a", "b/c");
        final String other = names.take("a/b", "c");

        assertThat(one).isNotEqualTo(other);
        names.note(one, Bookmark.parse("0:5"));
        assertThat(names.last(other)).isEqualTo(Bookmark.NONE);
    }

    @Test
    void shouldRefuseANameWhenAUserHasTooMany() throws Exception {
        for (int i = 0; i < SubscriptionNames.COUNT_MAX_FOR_EACH; i++) {
            use("", "n" + i);
        }

        assertRefused("", "more", "subscribe: no more than 256 names of one user: more (forget those of the past)");
        names.take("", "n7");
        names.take("other", "more");

        names.forget("", "n8");
        names.take("", "more");
    }

    @Test
    void shouldRefuseANameWhenAllUsersHaveTooMany() throws Exception {
        for (int i = 0; i < BookmarkStore.NAME_LIMIT; i++) {
            use("user" + i / SubscriptionNames.COUNT_MAX_FOR_EACH, "n" + i);
        }

        assertRefused(
                "late", "more", "subscribe: no more than 4096 names of all users: more (forget those of the past)");
    }

    @Test
    void shouldCountWhatTheStoreHasWhenMadeAgain() throws Exception {
        for (int i = 0; i < SubscriptionNames.COUNT_MAX_FOR_EACH; i++) {
            use("u", "n" + i);
        }
        final SubscriptionNames again = new SubscriptionNames(store);

        assertThatThrownBy(() -> again.take("u", "more")).isInstanceOf(BrokerException.class);
        assertThat(again.last(again.take("u", "n3"))).hasToString("0:1");
    }

    @Test
    void shouldKeepNoNameWhenNothingWasNoted() throws Exception {
        for (int i = 0; i < 2 * SubscriptionNames.COUNT_MAX_FOR_EACH; i++) {
            names.give(names.take("u", "n" + i));
        }
        assertThat(store.names()).isEmpty();
    }

    /** A call that returns late makes no name that nobody has asked for. */
    @Test
    void shouldNoteNothingWhenTheNameWasGivenBack() throws Exception {
        final String name = names.take("u", "n");
        names.give(name);

        names.note(
                name,
                List.of(new DeliveryWithHeaders(
                        new Delivery(Delivery.MESSAGE, "t", 0, 5, 0, "", new byte[0]), new Header[0])));

        assertThat(store.names()).isEmpty();
    }

    @Test
    void shouldRefuseANameWhenItIsInUseOrTooLong() throws Exception {
        names.take("u", "n");

        assertRefused("u", "n", "subscribe: the name is in use: n (end the other one first)");
        assertRefused("u", "x".repeat(257), "subscribe: the name is too long: 257 characters (use at most 256)");
        assertThatThrownBy(() -> names.forget("u", "n"))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("forget: the name is in use: n (end the other one first)");
    }

    private void use(final String user, final String name) throws BrokerException {
        final String whole = names.take(user, name);
        names.note(whole, Bookmark.parse("0:1"));
        names.give(whole);
    }

    private void assertRefused(final String user, final String name, final String reason) {
        assertThatThrownBy(() -> names.take(user, name))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining(reason);
    }
}
