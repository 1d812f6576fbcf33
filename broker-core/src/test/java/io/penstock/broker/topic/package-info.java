/** Tests of topics. */
package io.penstock.broker.topic;
