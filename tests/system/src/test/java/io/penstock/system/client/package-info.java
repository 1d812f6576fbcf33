/** The client and the broker together, as programs use them. */
@NullMarked
package io.penstock.system.client;

import org.jspecify.annotations.NullMarked;
