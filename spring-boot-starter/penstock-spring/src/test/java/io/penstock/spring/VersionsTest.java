package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spring.convert.PenstockConverters;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.core.SpringVersion;
import org.springframework.messaging.converter.CompositeMessageConverter;

/** The tests run with each Spring that the module is for; this one holds that they do. */
class VersionsTest {
    private static final String MAJOR = System.getProperty("penstock.spring.major", "6");

    @Test
    void shouldRunWithTheSpringThatTheBuildHasChosen() {
        assertThat(SpringVersion.getVersion()).startsWith(MAJOR + ".");
    }

    @Test
    void shouldConvertByTheJacksonThatIsThere() {
        final CompositeMessageConverter converters =
                (CompositeMessageConverter) Objects.requireNonNull(PenstockConverters.defaults());

        assertThat(converters.getConverters().get(1).getClass().getSimpleName())
                .isEqualTo(MAJOR.equals("6") ? "MappingJackson2MessageConverter" : "JacksonJsonMessageConverter");
    }
}
