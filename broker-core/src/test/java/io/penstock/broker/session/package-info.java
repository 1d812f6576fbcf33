/** Tests of {@code session} on its own. */
package io.penstock.broker.session;
