/** Tests of {@code session.connect} on its own. */
package io.penstock.broker.session.connect;
