/** Where messages go that a listener could not process. Safe on any thread. */
@NullMarked
package io.penstock.spring.error;

import org.jspecify.annotations.NullMarked;
