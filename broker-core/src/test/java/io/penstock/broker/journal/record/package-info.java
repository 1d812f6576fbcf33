/** Tests of {@code journal.record} on its own. */
package io.penstock.broker.journal.record;
