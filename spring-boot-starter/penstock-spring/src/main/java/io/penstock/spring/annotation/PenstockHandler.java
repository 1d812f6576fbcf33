package io.penstock.spring.annotation;

import io.penstock.spring.PenstockHeaders;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * A method of a class with {@link PenstockListener} that takes messages of one type. The header {@link PenstockHeaders#TYPE}
 * says which type a message is of: the simple or the whole name of the method's payload class.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(PenstockReflectiveProcessor.class)
public @interface PenstockHandler {
    /** What the header says for messages of this method, in place of the names of its payload class. */
    String type() default "";

    /** Whether the method takes what no other one of its class does. */
    boolean isDefault() default false;
}
