package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.program.Workspace;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import org.jspecify.annotations.Nullable;

/**
 * A compiled search condition. It owns the scratch space of its evaluation and is confined to one agent; evaluating it
 * allocates nothing.
 */
public interface Filter {
    /**
     * Returns whether the condition is true of a message.
     *
     * @param message positioned on the message; made for a set with the paths of {@link #fields()} in the same slots.
     * @return false when the condition is false and also when it is unknown.
     */
    boolean matches(FieldReader message);

    /**
     * Returns whether the condition is true of a message whose reader was not made for this filter's set.
     *
     * @param message positioned on the message.
     * @param slots   of the message's reader, for each slot of {@link #ownFields()} the one of the same path.
     * @return false when the condition is false and also when it is unknown.
     */
    boolean matches(FieldReader message, int[] slots);

    /**
     * Whether the last evaluation was more work, or made longer texts, than one may, so that something in it was unknown that need
     * not be. What it was then says nothing of what another condition with the same parts is.
     *
     * @return false unless it is known.
     */
    default boolean hasGivenUp() {
        return false;
    }

    /**
     * The filter is from now on evaluated by an agent among others, whose space it shares if that is of use to it.
     *
     * @param workspace of the agent.
     */
    default void join(final Workspace workspace) {}

    /**
     * The fields that the filter reads, and no others.
     *
     * @return the set, which does not change any more.
     */
    FieldSet ownFields();

    /**
     * The fields that the filter reads, and those of the filters it shares the set with.
     *
     * @return the set that the filter was compiled with.
     */
    FieldSet fields();

    /**
     * The condition in canonical form: filters with equal texts match the same messages, and the text compiles to the
     * same filter again under the same limits.
     *
     * @return the text.
     */
    String text();

    /**
     * The condition in normal form: what a matcher can see of it without evaluating it. It holds when {@link #matches} says
     * so.
     *
     * @return the form.
     */
    Condition condition();

    /**
     * The filter of one topic's messages, for a filter whose condition depends on the topic.
     *
     * @param topic name of it.
     * @return this filter unless it depends on the topic; one with an empty text when every message of the topic is wanted;
     *     null when none is.
     */
    default @Nullable Filter forTopic(final String topic) {
        return this;
    }
}
