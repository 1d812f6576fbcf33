/** What measurements of a broker in their own process share: its threads, a session of a client, a publisher at a pace. */
@NullMarked
package io.penstock.bench.embedded;

import org.jspecify.annotations.NullMarked;
