package io.penstock.spring;

import io.penstock.spring.annotation.EnablePenstock;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.listener.PenstockListenerContainer;
import io.penstock.spring.template.PenstockTemplate;
import java.util.Objects;
import java.util.function.Consumer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A context with the beans that a program needs, and those of a test. */
public final class TestContext implements AutoCloseable {
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @EnablePenstock
    static class Enabled {}

    private TestContext(final ClientConfigSource clients, final Class<?>... components) {
        context.registerBean(
                PenstockConnection.class,
                () -> new PenstockConnection(clients),
                definition -> definition.setDestroyMethodName("close"));
        context.registerBean(PenstockTemplate.class, () -> new PenstockTemplate(connection()));
        context.registerBean(
                PenstockListenerContainerFactory.BEAN_NAME,
                PenstockListenerContainerFactory.class,
                () -> new PenstockListenerContainerFactory(connection()));
        context.register(Enabled.class);
        if (components.length > 0) {
            context.register(components);
        }
    }

    /** A context that was started. */
    public static TestContext start(final ClientConfigSource clients, final Class<?>... components) {
        return start(clients, context -> {}, components);
    }

    /** A context that was changed and then started; closed when it does not start. */
    public static TestContext start(
            final ClientConfigSource clients,
            final Consumer<AnnotationConfigApplicationContext> change,
            final Class<?>... components) {
        final TestContext made = new TestContext(clients, components);
        change.accept(made.context);
        try {
            made.context.refresh();
        } catch (final RuntimeException e) {
            made.close();
            throw e;
        }
        return made;
    }

    public PenstockConnection connection() {
        return context.getBean(PenstockConnection.class);
    }

    public PenstockTemplate template() {
        return context.getBean(PenstockTemplate.class);
    }

    public PenstockListenerContainer container(final String id) {
        return Objects.requireNonNull(
                context.getBean(PenstockListenerEndpointRegistry.class).getContainer(id), id);
    }

    public <T> T bean(final Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
