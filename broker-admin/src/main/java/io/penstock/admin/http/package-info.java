/**
 * HTTP for administrators: bounded requests, strict answers, streams of events. Knows nothing of the broker.
 *
 * <p>Everything is confined to the one thread of the server, except {@link io.penstock.admin.http.Exchange} and {@link
 * io.penstock.admin.http.EventStream}, which any thread may use.
 */
@NullMarked
package io.penstock.admin.http;

import org.jspecify.annotations.NullMarked;
