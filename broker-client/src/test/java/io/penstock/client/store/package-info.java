/** Tests of the client's stores. */
@NullMarked
package io.penstock.client.store;

import org.jspecify.annotations.NullMarked;
