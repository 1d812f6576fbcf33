/** Tests of {@code journal.snapshot} on its own. */
package io.penstock.broker.journal.snapshot;
