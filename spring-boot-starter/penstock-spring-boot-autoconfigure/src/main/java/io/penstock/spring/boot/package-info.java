/**
 * Auto-configuration of a client for Spring Boot. Beans are made by the thread that starts the context; what they are used by
 * is said at each.
 */
@NullMarked
package io.penstock.spring.boot;

import org.jspecify.annotations.NullMarked;
