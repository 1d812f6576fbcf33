package io.penstock.spring.boot.test;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Keeps the component scan of an application from its controllers, which need what the test does not have. */
final class ControllersLeftOut extends TypeExcludeFilter {
    private static final String CONTROLLER = "org.springframework.stereotype.Controller";

    @Override
    public boolean match(final MetadataReader reader, final MetadataReaderFactory factory) throws IOException {
        return reader.getAnnotationMetadata().isAnnotated(CONTROLLER);
    }

    @Override
    public boolean equals(final @Nullable Object other) {
        return other instanceof ControllersLeftOut;
    }

    @Override
    public int hashCode() {
        return ControllersLeftOut.class.hashCode();
    }
}
