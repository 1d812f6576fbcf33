/** Tests. */
@NullMarked
package io.penstock.spring.template;

import org.jspecify.annotations.NullMarked;
