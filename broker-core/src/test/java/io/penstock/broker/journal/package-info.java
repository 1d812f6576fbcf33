/** Tests of {@code journal}'s classes one by one. */
package io.penstock.broker.journal;
