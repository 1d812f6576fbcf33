/** Meters of the connection and of an embedded broker. Read by the thread of a registry. */
@NullMarked
package io.penstock.spring.boot.metrics;

import org.jspecify.annotations.NullMarked;
