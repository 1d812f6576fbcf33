/** Tests of {@code match}'s classes one by one. */
package io.penstock.broker.match;
