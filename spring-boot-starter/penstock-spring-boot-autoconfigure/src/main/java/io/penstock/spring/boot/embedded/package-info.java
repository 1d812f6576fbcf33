/** A broker in the process of the application. Beans are made by the thread that starts the context. */
@NullMarked
package io.penstock.spring.boot.embedded;

import org.jspecify.annotations.NullMarked;
