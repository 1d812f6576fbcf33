/** Penstock in Spring: the connection that all beans share. Safe on any thread. */
@NullMarked
package io.penstock.spring;

import org.jspecify.annotations.NullMarked;
