/** Tests of {@code session.send} on its own. */
package io.penstock.broker.session.send;
