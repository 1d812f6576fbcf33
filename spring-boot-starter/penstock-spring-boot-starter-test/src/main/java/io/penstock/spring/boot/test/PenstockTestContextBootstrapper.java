package io.penstock.spring.boot.test;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Gives the context of a test the properties of its annotation, and a broker. */
final class PenstockTestContextBootstrapper extends SpringBootTestContextBootstrapper {
    @Override
    protected String[] getProperties(final Class<?> testClass) {
        final List<String> properties = new ArrayList<>();
        properties.add("penstock.embedded.enabled=true");
        MergedAnnotations.from(testClass, SearchStrategy.INHERITED_ANNOTATIONS)
                .get(PenstockTest.class)
                .getValue("properties", String[].class)
                .ifPresent(each -> properties.addAll(List.of(each)));
        return properties.toArray(new String[0]);
    }
}
