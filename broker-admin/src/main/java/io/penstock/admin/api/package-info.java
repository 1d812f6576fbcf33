/**
 * The admin API: who asks, what they may do, and what is answered. Handlers are called on the server's thread; what may
 * wait is done by {@link io.penstock.admin.api.Workers}.
 */
@NullMarked
package io.penstock.admin.api;

import org.jspecify.annotations.NullMarked;
