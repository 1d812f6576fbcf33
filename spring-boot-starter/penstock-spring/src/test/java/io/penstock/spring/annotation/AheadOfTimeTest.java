package io.penstock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

class AheadOfTimeTest {
    /** A payload. */
    record Quote(int id, double price) {}

    /** The value of a mirror. */
    record Order(int id) {}

    @Configuration(proxyBeanMethods = false)
    @EnablePenstock
    static class Program {
        @Bean
        PenstockConnection connection() {
            throw new AssertionError("nothing is made while a program is built");
        }

        @Bean
        PenstockListenerContainerFactory penstockListenerContainerFactory(final PenstockConnection connection) {
            return new PenstockListenerContainerFactory(connection);
        }

        @Bean
        Desk desk() {
            return new Desk();
        }
    }

    static class Desk {
        @PenstockState(topic = "orders")
        @Nullable
        Map<String, Order> orders;

        @PenstockListener(topic = "quotes")
        void on(final Quote quote) {}
    }

    @Test
    void shouldKnowMethodsFieldsAndPayloadsWhenAProgramIsBuiltAheadOfTime() throws Exception {
        final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        final DefaultGenerationContext generation =
                new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(AheadOfTimeTest.class)), files);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Program.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        generation.writeGeneratedContent();

        final RuntimeHints hints = generation.getRuntimeHints();
        final Method method = Desk.class.getDeclaredMethod("on", Quote.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethod(method)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Quote.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Order.class)).accepts(hints);
    }
}
