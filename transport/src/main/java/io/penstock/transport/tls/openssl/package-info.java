/**
 * The native engine of TLS: BoringSSL, by classes of Netty that need no channel. Nothing of Netty is touched before somebody
 * asks for that engine, and what is missing is a reason, not an error. Any thread, unless a class says otherwise.
 */
@NullMarked
package io.penstock.transport.tls.openssl;

import org.jspecify.annotations.NullMarked;
