/** Tests of what a session of the client is made of. */
@NullMarked
package io.penstock.client.session;

import org.jspecify.annotations.NullMarked;
