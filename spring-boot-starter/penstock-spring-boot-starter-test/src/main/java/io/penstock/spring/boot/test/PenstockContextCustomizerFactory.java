package io.penstock.spring.boot.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/** Adds the filter of controllers to contexts of {@link PenstockTest}. */
final class PenstockContextCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            final Class<?> testClass, final List<ContextConfigurationAttributes> attributes) {
        return TestAnnotations.of(testClass).isPresent(PenstockTest.class) ? new Customizer() : null;
    }

    /** Equal to each other, so that contexts can be shared. */
    private record Customizer() implements ContextCustomizer {
        @Override
        public void customizeContext(
                final ConfigurableApplicationContext context, final MergedContextConfiguration config) {
            context.getBeanFactory().registerSingleton(ControllersLeftOut.class.getName(), new ControllersLeftOut());
        }
    }
}
