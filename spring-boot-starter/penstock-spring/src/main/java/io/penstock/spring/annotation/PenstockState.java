package io.penstock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Injects a live mirror of the records of a topic, into a field, or a parameter of a constructor or of a method that the
 * context calls, of type {@link java.util.Map} or {@link io.penstock.spring.state.PenstockStateMap}. It is loaded when
 * beans with a default phase start; until then, in constructors and {@code @PostConstruct}, it is empty. All texts may have
 * placeholders and expressions.
 */
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(PenstockReflectiveProcessor.class)
public @interface PenstockState {
    /** The topic, which keeps state. */
    String topic();

    /** A condition on the fields of records; empty for all of them. */
    String filter() default "";

    /** The fields that come, for example {@code price, /order/qty}; the key comes with them. */
    String select() default "";

    /** The longest wait for the records while the context starts: milliseconds, or a duration such as {@code 30s}. */
    String timeout() default "30s";

    /** The most records: a mirror that gets more stops following, or keeps the context from starting. */
    String limit() default "1000000";
}
