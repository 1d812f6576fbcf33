/**
 * What goes out to a client besides messages, in its order: answers, acknowledgements, refusals; and records as clients know them
 * that know no headers. Each class belongs to one client, or to the I/O agent of many.
 */
@NullMarked
package io.penstock.broker.session.send;

import org.jspecify.annotations.NullMarked;
