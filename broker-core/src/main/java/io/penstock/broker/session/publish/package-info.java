/** Takes messages and declarations of topics, and hands them to shards. Confined to one I/O agent. */
@NullMarked
package io.penstock.broker.session.publish;

import org.jspecify.annotations.NullMarked;
