/** Tests of {@code session.feed} on its own. */
package io.penstock.broker.session.feed;
