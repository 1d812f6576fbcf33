package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.QuotaConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.security.IdentityUse.Lease;
import io.penstock.broker.session.query.QueryStarter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What one user may have when nothing is configured: more than programs use, and not all there is. */
class IdentityDefaultsTest {
    private static final IdentityQuotas DEFAULTS = QuotaConfig.defaults().perIdentity();
    private static final Principal ANN = new Principal("ann");

    private final IdentityUses uses = new IdentityUses(principal -> IdentityQuotas.UNSAID, () -> 0);
    private final IdentityUse use;

    IdentityDefaultsTest() {
        uses.defaults(DEFAULTS.ofQueryThreads(2));
        use = connect().use();
    }

    private IdentityUses.Attachment connect() {
        return uses.attach("user ann", ANN, false, 0);
    }

    @Test
    void shouldLeaveHalfOfTheConnectionsToOthers() {
        for (int i = 1; i < SessionConfig.SESSION_COUNT_MAX_DEFAULT / 2; i++) {
            assertThat(connect().isTaken()).isTrue();
        }
        assertThat(connect().isTaken()).isFalse();
        assertThat(uses.attach("user bob", new Principal("bob"), false, 0).isTaken())
                .isTrue();
    }

    @Test
    void shouldTakeAsManyFiltersAsOneConnectionMayHaveAndAHundredOnEachOfAThousand() {
        final List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 1_000 * 100; i++) {
            final Lease lease = use.takeSubscription(40, Lease.none());
            assertThat(lease).isNotNull();
            leases.add(lease);
        }
        assertThat(leases.size()).isGreaterThanOrEqualTo(10 * SessionConfig.SUBSCRIPTION_COUNT_MAX_DEFAULT);
        assertThat(use.takeSubscription(40, Lease.none())).isNull();
        assertThat(use.subscriptionRefusal(40)).contains("quotas.perIdentity.subscriptionCountMax");
    }

    @Test
    void shouldRefuseFiltersThatAreTooLongTogether() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(use.takeSubscription(400, Lease.none())).isNotNull();
        }
        assertThat(use.takeSubscription(300_000, Lease.none())).isNull();
        assertThat(use.subscriptionRefusal(300_000)).contains("quotas.perIdentity.filterLengthMax");
    }

    @Test
    void shouldLeaveTheStagingToTheShareThatEachAgentGives() {
        final int slot = 2 * SessionConfig.MESSAGE_LENGTH_MAX_DEFAULT;
        for (int i = 0; i < 10; i++) {
            assertThat(use.take(slot)).isTrue();
        }
    }

    @Test
    void shouldLeaveHalfOfTheQueriesToOthers() {
        for (int i = 0; i < QueryStarter.QUERY_COUNT_MAX / 2; i++) {
            assertThat(use.queryRefusal(0)).isNull();
            use.onQueryBegun();
        }
        assertThat(use.queryRefusal(0)).contains("quotas.perIdentity.queryCountMax");
    }

    @Test
    void shouldLeaveATenthOfTheQueryThreadsTimeToOthers() {
        final long secondNs = TimeUnit.SECONDS.toNanos(1);
        long refusedAtS = 0;
        // Both threads are busy all the time.
        for (long s = 1; refusedAtS == 0; s++) {
            use.onQueryWorked(2 * secondNs, s * secondNs);
            refusedAtS = use.queryRefusal(s * secondNs) == null ? 0 : s;
        }
        assertThat(refusedAtS).isBetween(530L, 550L);
    }

    @Test
    void shouldHaveNoRate() {
        for (int i = 0; i < 1_000_000; i++) {
            use.onPublished(1_000, 0);
        }
        assertThat(use.isOverRate(0)).isFalse();
    }

    @Test
    void shouldHaveAShareOfEachThreadForQueriesUnlessOneIsSaid() {
        assertThat(DEFAULTS.ofQueryThreads(4).queryMsPerMinuteMax()).isEqualTo(216_000);
        assertThat(IdentityQuotas.UNBOUNDED.ofQueryThreads(4)).isEqualTo(IdentityQuotas.UNBOUNDED);
    }
}
