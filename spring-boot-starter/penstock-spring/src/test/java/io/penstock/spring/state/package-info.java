/** Tests. */
@NullMarked
package io.penstock.spring.state;

import org.jspecify.annotations.NullMarked;
