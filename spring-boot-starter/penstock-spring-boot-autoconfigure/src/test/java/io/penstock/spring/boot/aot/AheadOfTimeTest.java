package io.penstock.spring.boot.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.WindowConfig;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.boot.embedded.EmbeddedBroker;
import io.penstock.spring.template.PenstockTemplate;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

/** A context that is processed ahead of time: the code that is generated for it makes the same beans. */
class AheadOfTimeTest {
    private static final TestPropertyValues PROPERTIES =
            TestPropertyValues.of("penstock.embedded.enabled=true", "penstock.embedded.config.window.segment-count=8");

    private static final String ORDER = "{\"id\":1}";

    /** A listener and what auto-configuration brings. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class App {
        /** Of this application. */
        @Bean
        public Listener listener() {
            return new Listener();
        }
    }

    /** Takes texts. */
    public static class Listener {
        final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        /** Takes one. */
        @PenstockListener(topic = "orders")
        public void onOrder(final String order) {
            received.add(order);
        }
    }

    @Test
    @CompileWithForkedClassLoader
    void shouldSendAndListenWhenTheContextIsMadeByGeneratedCode() {
        final TestGenerationContext generation = new TestGenerationContext();
        final AnnotationConfigApplicationContext processed = new AnnotationConfigApplicationContext();
        PROPERTIES.applyTo(processed);
        processed.register(App.class);
        final String initializer = new ApplicationContextAotGenerator()
                .processAheadOfTime(processed, generation)
                .canonicalName();
        generation.writeGeneratedContent();
        TestCompiler.forSystem().with(generation).compile(compiled -> run(initializer, compiled.getClassLoader()));
        assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/native/linux/any.so"))
                .accepts(generation.getRuntimeHints());
    }

    private static void run(final String initializer, final ClassLoader loader) {
        final GenericApplicationContext context = new GenericApplicationContext();
        context.setClassLoader(loader);
        PROPERTIES.applyTo(context);
        newInitializer(initializer, loader).initialize(context);
        context.refresh();
        try (context) {
            context.getBean(PenstockTemplate.class).send("orders", ORDER).get(20, TimeUnit.SECONDS);
            assertThat(context.getBean(Listener.class).received.poll(20, TimeUnit.SECONDS))
                    .isEqualTo(ORDER);
            assertThat(context.getBean(EmbeddedBroker.class)
                            .broker()
                            .config()
                            .window()
                            .segmentCount())
                    .isEqualTo(8);
        } catch (final Exception e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static ApplicationContextInitializer<GenericApplicationContext> newInitializer(
            final String name, final ClassLoader loader) {
        try {
            return Class.forName(name, true, loader)
                    .asSubclass(ApplicationContextInitializer.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (final ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @Test
    void shouldLetTheRecordsOfAConfigurationBeMadeWhenHintsAreRegistered() {
        final RuntimeHints hints = new RuntimeHints();
        new PenstockRuntimeHints().registerHints(hints, getClass().getClassLoader());
        for (final Class<?> type : new Class<?>[] {BrokerConfig.class, WindowConfig.class, TopicConfig.class}) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onType(type)
                            .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                    .accepts(hints);
        }
    }
}
