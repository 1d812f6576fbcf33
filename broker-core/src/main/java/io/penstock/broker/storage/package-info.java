/**
 * Files as the log and the snapshots of state need them: written at positions, synced, renamed in one step. Everything
 * that touches a disk goes through here, so that tests can put a disk that fails in its place.
 */
@NullMarked
package io.penstock.broker.storage;

import org.jspecify.annotations.NullMarked;
