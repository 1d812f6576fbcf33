/** Explanations of a start that failed. Called by the thread that started the context. */
@NullMarked
package io.penstock.spring.boot.failure;

import org.jspecify.annotations.NullMarked;
