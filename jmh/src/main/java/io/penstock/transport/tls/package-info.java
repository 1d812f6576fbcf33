/** What TLS costs. Each program has one thread, unless it says otherwise. */
@NullMarked
package io.penstock.transport.tls;

import org.jspecify.annotations.NullMarked;
