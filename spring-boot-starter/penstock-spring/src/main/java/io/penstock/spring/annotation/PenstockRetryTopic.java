package io.penstock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Retries messages of a listener without holding up those behind them: a message for which the listener threw is published
 * to the topic {@code <topic>.retry-1}, and comes again when its delay is over, then to {@code <topic>.retry-2} and so on,
 * and in the end to {@code <topic>.dead}. Messages of one key may overtake each other so. Retries of a durable listener are
 * durable; those of another one are lost when the program ends before they are due. Listeners of one topic do not get each
 * other's retries, nor those of programs with another {@link io.penstock.spring.ClientConfigSource#name() name}.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface PenstockRetryTopic {
    /** How often the listener is called with a message at most, 2 to 20. */
    String attempts() default "3";

    /** The delay before the first retry: milliseconds, or a duration such as {@code 5s}. */
    String delay() default "1s";

    /** What each further delay is longer by, 1 or more. */
    String multiplier() default "2";

    /** The longest delay. */
    String maxDelay() default "5m";

    /** The topic of what is not retried any more; {@code <topic>.dead} unless given. */
    String deadLetterTopic() default "";

    /** Exceptions, with their subclasses, that are not retried. */
    Class<? extends Throwable>[] exclude() default {};
}
