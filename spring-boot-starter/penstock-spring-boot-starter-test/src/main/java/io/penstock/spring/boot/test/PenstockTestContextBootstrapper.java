package io.penstock.spring.boot.test;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;

/** Gives the context of a test the properties of its annotation, and a broker. */
final class PenstockTestContextBootstrapper extends SpringBootTestContextBootstrapper {
    /** Neither the files, the ports nor the user that the application has elsewhere. */
    private static final List<String> OF_EVERY_TEST = List.of(
            "penstock.user=",
            "penstock.password=",
            "penstock.embedded.enabled=true",
            "penstock.embedded.name=",
            "penstock.embedded.listen=",
            "penstock.embedded.journal-directory=",
            "penstock.publish-store.kind=none",
            "penstock.bookmark-store.kind=memory");

    @Override
    protected String[] getProperties(final Class<?> testClass) {
        final List<String> properties = new ArrayList<>();
        properties.addAll(OF_EVERY_TEST);
        TestAnnotations.of(testClass)
                .get(PenstockTest.class)
                .getValue("properties", String[].class)
                .ifPresent(each -> properties.addAll(List.of(each)));
        return properties.toArray(new String[0]);
    }
}
