/**
 * Bearer tokens: JSON web tokens (RFC 7519) that an issuer signs, as clients send them by OAUTHBEARER (RFC 7628).
 *
 * <p>Called by workers that check log-ons, several at a time; everything is safe on any thread.
 */
@NullMarked
package io.penstock.broker.security.token;

import org.jspecify.annotations.NullMarked;
