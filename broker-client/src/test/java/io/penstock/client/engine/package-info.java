/** Tests of what the client's engine is made of. */
@NullMarked
package io.penstock.client.engine;

import org.jspecify.annotations.NullMarked;
