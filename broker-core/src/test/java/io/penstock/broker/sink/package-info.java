/** Tests of sinks on their own. */
package io.penstock.broker.sink;
