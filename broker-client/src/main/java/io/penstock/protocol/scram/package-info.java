/**
 * SCRAM-SHA-256 (RFC 5802, RFC 7677) for client and broker: a user proves a password that the broker does not keep and
 * that is never sent, and the broker proves that it knows the user. Confined to the thread that uses it.
 */
@NullMarked
package io.penstock.protocol.scram;

import org.jspecify.annotations.NullMarked;
