/** Sending, querying and asking from a Spring program. Safe on any thread. */
@NullMarked
package io.penstock.spring.template;

import org.jspecify.annotations.NullMarked;
