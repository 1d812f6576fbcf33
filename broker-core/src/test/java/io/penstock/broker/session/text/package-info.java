/** Tests of {@code session.text} on its own. */
package io.penstock.broker.session.text;
