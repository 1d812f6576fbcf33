package io.penstock.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spring.boot.embedded.EmbeddedBroker;
import io.penstock.spring.template.PenstockTemplate;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A test uses neither the files nor the ports of the application, whatever its properties say. */
@PenstockTest(properties = {"spring.config.name=production", "penstock.embedded.config.topics[0].name=fills"})
class ProductionPropertiesTest {
    @Autowired
    private EmbeddedBroker broker;

    @Autowired
    private PenstockTemplate template;

    /** With the properties. */
    @SpringBootApplication
    static class Application {}

    @Test
    void shouldBeInMemoryWhenTheApplicationIsNot() throws Exception {
        template.send("orders", "{}").get(30, TimeUnit.SECONDS);
        assertThat(broker.endpoints())
                .singleElement()
                .asString()
                .startsWith("inproc:")
                .isNotEqualTo("inproc:production");
        assertThat(Path.of("target", "production")).doesNotExist();
    }
}
