/**
 * Questions and commands of those who watch and administer a broker: what they are told, and the notices by which agents
 * are asked.
 *
 * <p>An agent answers between its other work, in bounded parts, and only when it is asked.
 */
@NullMarked
package io.penstock.broker.monitor;

import org.jspecify.annotations.NullMarked;
