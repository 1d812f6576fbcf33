/**
 * Everything that is sent to a client besides messages, in order: answers, acknowledgements, refusals; also records for
 * clients that know no headers. Each class belongs to one client, or to the I/O agent of many.
 */
@NullMarked
package io.penstock.broker.session.send;

import org.jspecify.annotations.NullMarked;
