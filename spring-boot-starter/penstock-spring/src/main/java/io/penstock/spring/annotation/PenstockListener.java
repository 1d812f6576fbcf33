package io.penstock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Has a method called with the messages of a subscription, or the {@link PenstockHandler} methods of a class. All texts may
 * have placeholders, such as {@code ${orders.topic}}, and expressions, such as {@code #{@names.orders()}}. A wrong attribute
 * or method keeps the context from starting.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(PenstockListeners.class)
@Documented
@Reflective(PenstockReflectiveProcessor.class)
public @interface PenstockListener {
    /** Unique in the program; the bean's and the method's name unless given. It names threads, events and observations. */
    String id() default "";

    /** The topic. Either this or {@link #pattern} is given. */
    String topic() default "";

    /** A regular expression of RE2's syntax that is matched against whole names of topics. */
    String pattern() default "";

    /** A condition on the fields of messages, for example {@code price > 10 AND symbol LIKE 'A%'}. */
    String filter() default "";

    /** The fields that are sent, for example {@code price, /order/qty}; the key comes with them. */
    String select() default "";

    /** Whether the state comes first, and every change from there. */
    boolean sow() default false;

    /** Whether records come, too, that no longer match, were deleted or have expired. */
    boolean oof() default false;

    /** Whether changes come with the key and the changed fields alone. */
    boolean delta() default false;

    /** In which interval a record comes at most once: milliseconds, or a duration such as {@code 500ms} or {@code PT0.5S}. */
    String conflation() default "";

    /**
     * A name under which is noted what was processed, so that the listener goes on there when the program was started again.
     * Needs a bookmark store of the client, and journaled topics.
     */
    String durable() default "";

    /** Where in the log it begins: {@code beginning}, {@code now}, a time in UTC, or a bookmark. A durable one does so once. */
    String from() default "";

    /** Where in the log it ends: {@code now}, a time in UTC, or a bookmark. */
    String to() default "";

    /** Most bytes of messages that wait for the listener; more wait at the broker. 131072 unless given. */
    String credit() default "";

    /**
     * How many threads call the listener. Messages with one key come on one thread, in their order; those without a key have
     * no order among threads.
     */
    String concurrency() default "";

    /** Whether the method takes a list of messages. */
    boolean batch() default false;

    /** When a message counts as processed: {@code RECORD}, {@code BATCH} or {@code MANUAL}. */
    String ackMode() default "";

    /** The name of a bean that decides when the method throws, a {@code PenstockErrorHandler}. */
    String errorHandler() default "";

    /** The name of the container factory; {@code penstockListenerContainerFactory} unless given. */
    String containerFactory() default "";

    /** Whether it starts with the context. */
    String autoStartup() default "";
}
