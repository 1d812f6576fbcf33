/** Annotations for listeners and mirrors, and what finds them on beans. Used by the context's thread. */
@NullMarked
package io.penstock.spring.annotation;

import org.jspecify.annotations.NullMarked;
