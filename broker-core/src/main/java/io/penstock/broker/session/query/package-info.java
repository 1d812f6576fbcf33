/** Takes queries of state and deletes, and sends the results. Confined to one I/O agent. */
@NullMarked
package io.penstock.broker.session.query;

import org.jspecify.annotations.NullMarked;
