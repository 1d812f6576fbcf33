/**
 * Containers of listeners: each takes messages from its subscription, and hands them to its listener on threads of its own,
 * so that the client's thread never waits. Safe on any thread unless a class says otherwise.
 */
@NullMarked
package io.penstock.spring.listener;

import org.jspecify.annotations.NullMarked;
