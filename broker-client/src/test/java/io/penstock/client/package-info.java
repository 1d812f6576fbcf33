/** Tests of the client against a broker that the test scripts. */
@NullMarked
package io.penstock.client;

import org.jspecify.annotations.NullMarked;
