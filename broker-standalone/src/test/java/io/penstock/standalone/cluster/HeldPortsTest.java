package io.penstock.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class HeldPortsTest {
    @Test
    void shouldNotBeThoseOfAnotherWhoStartsAtTheSameTime() throws IOException {
        try (HeldPorts one = HeldPorts.hold(3);
                HeldPorts other = HeldPorts.hold(3)) {
            assertThat(one.members()).hasSize(3).doesNotContainAnyElementsOf(other.members());
        }
    }
}
