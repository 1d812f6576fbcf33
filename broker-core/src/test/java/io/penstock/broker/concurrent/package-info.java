/** Tests of {@code concurrent}'s classes one by one. */
package io.penstock.broker.concurrent;
