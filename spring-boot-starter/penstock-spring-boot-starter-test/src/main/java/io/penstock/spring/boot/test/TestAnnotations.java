package io.penstock.spring.boot.test;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.test.context.TestContextAnnotationUtils;

/** The annotations that a test has: its own, those of classes above it, and those of classes around it. */
final class TestAnnotations {
    private TestAnnotations() {}

    static MergedAnnotations of(final Class<?> testClass) {
        return MergedAnnotations.search(SearchStrategy.TYPE_HIERARCHY)
                .withEnclosingClasses(TestContextAnnotationUtils::searchEnclosingClass)
                .from(testClass);
    }
}
