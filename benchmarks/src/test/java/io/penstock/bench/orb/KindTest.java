package io.penstock.bench.orb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KindTest {
    private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

    @Test
    void shouldMeasureEachKindOnceARoundBesideWhatItIsComparedWith() {
        for (int round = 0; round < 10; round++) {
            final List<Kind> order = Kind.order(ALL, round);
            assertThat(order).containsExactlyInAnyOrderElementsOf(ALL);
            assertThat(order.subList(3, 5)).containsExactlyInAnyOrder(Kind.GLASSFISH, Kind.IIOP);
        }
    }

    @Test
    void shouldNotLetAnyKindAlwaysBeTheFirst() {
        final Set<Kind> first = new HashSet<>();
        for (int round = 0; round < 5; round++) {
            first.add(Kind.order(ALL, round).get(0));
        }
        assertThat(first).containsExactlyInAnyOrder(Kind.PLAIN, Kind.RMI, Kind.RMI_POOLED);
    }

    @Test
    void shouldKnowOnlyWhatIsComparedByName() {
        assertThat(Kind.compared("rmi_pooled")).isEqualTo(Kind.RMI_POOLED);
        assertThat(Kind.compared("plain")).isNull();
        assertThat(Kind.compared("")).isNull();
    }
}
