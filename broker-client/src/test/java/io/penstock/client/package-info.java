/** Tests of the client against a broker that says what the test tells it to. */
@NullMarked
package io.penstock.client;

import org.jspecify.annotations.NullMarked;
