package io.penstock.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spring.template.PenstockTemplate;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;

/** The application of {@link ProductionPropertiesTest} in another context, which is there at the same time. */
@PenstockTest(properties = "spring.config.name=production")
class OtherContextTest {
    @Autowired
    private PenstockTemplate template;

    @Test
    void shouldHaveABrokerOfItsOwnWhenThereAreTwoContexts() throws Exception {
        template.send("orders", "{}").get(30, TimeUnit.SECONDS);
        assertThat(template.client().isConnected()).isTrue();
    }

    /** Of the same context. */
    @Nested
    class Inner {
        @Autowired
        private Environment environment;

        @Autowired
        private PenstockTemplate template;

        @Test
        void shouldHaveTheContextOfTheClassAroundIt() {
            assertThat(environment.getProperty("spring.config.name")).isEqualTo("production");
            assertThat(template).isSameAs(OtherContextTest.this.template);
        }
    }
}
