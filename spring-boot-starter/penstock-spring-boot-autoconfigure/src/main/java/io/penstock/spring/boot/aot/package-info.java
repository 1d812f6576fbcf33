/** What is said of reflection and resources when an application is processed ahead of time. Called by the build. */
@NullMarked
package io.penstock.spring.boot.aot;

import org.jspecify.annotations.NullMarked;
