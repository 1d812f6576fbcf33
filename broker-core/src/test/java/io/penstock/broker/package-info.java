/** Tests of the whole broker, driven in one thread. */
package io.penstock.broker;
