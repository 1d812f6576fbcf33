package io.penstock.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of what an application does with Penstock: with its components, but for controllers, with the auto-configuration of
 * Penstock and of JSON and no other, and with a broker in the process. Each context has a broker of its own, in memory, to which
 * its client, templates, listeners and mirrors are connected, whatever {@code penstock.servers} says.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(PenstockTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@ImportAutoConfiguration
public @interface PenstockTest {
    /** More properties of the context, as {@code key=value}; those of the broker's topics, for example. */
    String[] properties() default {};
}
