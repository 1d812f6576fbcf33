/** What a listener costs beside the plain client; run by hand. */
@NullMarked
package io.penstock.spring.overhead;

import org.jspecify.annotations.NullMarked;
