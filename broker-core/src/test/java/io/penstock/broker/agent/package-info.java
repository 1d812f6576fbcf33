/** Tests of agents on their own. */
package io.penstock.broker.agent;
