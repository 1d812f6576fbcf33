/**
 * What TLS needs: settings, certificates and keys out of files, and engines made of them. Any thread, unless a class says
 * otherwise.
 */
@NullMarked
package io.penstock.transport.tls;

import org.jspecify.annotations.NullMarked;
