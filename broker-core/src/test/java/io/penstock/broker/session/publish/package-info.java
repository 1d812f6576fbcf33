/** Tests of {@code session.publish} on its own. */
package io.penstock.broker.session.publish;
