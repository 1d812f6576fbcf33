/**
 * Configuration records made of keys and values, wherever these come from, with the place of each value in every error.
 * Used by the thread that starts a broker.
 */
@NullMarked
package io.penstock.broker.config;

import org.jspecify.annotations.NullMarked;
