/** Tests of {@code state}'s classes one by one. */
package io.penstock.broker.state;
