package io.penstock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Finds {@link PenstockListener} and {@link PenstockState} on beans. The context needs a bean of type {@link
 * io.penstock.spring.PenstockConnection}, and for listeners one named {@code penstockListenerContainerFactory}, of type
 * {@link io.penstock.spring.endpoint.PenstockListenerContainerFactory}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(PenstockAnnotationConfiguration.class)
public @interface EnablePenstock {}
