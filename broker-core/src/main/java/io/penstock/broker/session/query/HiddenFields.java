package io.penstock.broker.session.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.topic.MessageCutter;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/** What clients may ask of topics of which fields are hidden from them: nothing whose answer depends on those. */
public final class HiddenFields {
    private HiddenFields() {}

    /**
     * Refuses a command about one topic that names fields which are hidden from its client, or to whom the topic cannot be
     * shown without them. Of a pattern's topics those are left out, each by itself.
     *
     * @param command for people.
     * @param topics  that it is about.
     * @param asked   fields that it names.
     * @throws Refusal with the field.
     */
    public static void check(
            final SessionContext context,
            final Session session,
            final String command,
            final TopicPattern topics,
            final FieldSet asked) {
        if (!topics.isLiteral()) {
            return;
        }
        final FieldSelection hidden = checkFields(context, session, command, topics.text(), asked);
        final Topic topic = context.topics().find(topics.text());
        final String why = topic == null ? null : MessageCutter.whyNotShown(hidden, topic);
        if (why != null) {
            throw refusal(session, command, topics.text(), why, "leave the topic");
        }
    }

    /** Refuses fields that tell of hidden ones, and returns those. */
    private static FieldSelection checkFields(
            final SessionContext context,
            final Session session,
            final String command,
            final String topic,
            final FieldSet asked) {
        final FieldSelection given = context.gate().hidden(session.profile().principal(), topic);
        final FieldSelection hidden = given == null ? FieldSelection.NONE : given;
        final FieldPath touched = hidden.firstTouched(asked);
        if (touched != null) {
            throw refusal(
                    session,
                    command,
                    topic,
                    hidden.text() + " is hidden, and this depends on " + touched,
                    "leave it out");
        }
        return hidden;
    }

    private static Refusal refusal(
            final Session session, final String command, final String topic, final String why, final String remedy) {
        return new Refusal(
                ErrorCode.NOT_ENTITLED,
                command + " " + topic + ": not allowed for "
                        + session.profile().principal().name() + ": " + why + " (" + remedy
                        + ", or ask for the permission)");
    }

    /** Refuses to delete by a filter that tells of fields which are hidden from its client. */
    public static void checkFilter(
            final SessionContext context,
            final Session session,
            final String command,
            final String topic,
            final String filter) {
        final FieldSet fields = new FieldSet();
        if (!filter.isEmpty()) {
            FilterCompiler.compile(filter, fields, FilterLimits.COMBINED);
        }
        checkFields(context, session, command, topic, fields);
    }

    /**
     * Refuses a subscription to one topic by fields that are hidden from its client, or whose messages cannot be shown to it,
     * or of which the permissions and its own filter say more than a filter may have.
     *
     * @param subscription that has not begun.
     * @throws Refusal with the field.
     */
    public static void check(
            final SessionContext context, final Session session, final ClientSubscription subscription) {
        final String command = "subscribe to";
        check(context, session, command, subscription.topics(), fields(subscription));
        if (subscription.rights().condition() == null) {
            // It cannot be decided what the client may have.
            throw new Refusal(
                    ErrorCode.NOT_AUTHORIZED,
                    command + " " + subscription.topics().text() + ": "
                            + context.gate()
                                    .whyNot(
                                            session.profile().principal(),
                                            subscription.rights().actions(),
                                            subscription.topics().text()));
        }
        if (subscription.isFilterTooLong()) {
            context.gate()
                    .onFiltersTooLong(
                            session.profile().principal(),
                            command + " " + subscription.topics().text() + " with the filter of its client");
            throw new Refusal(
                    ErrorCode.BAD_FILTER,
                    command + " " + subscription.topics().text()
                            + ": filter: too long with those of the permissions (filter by less)");
        }
    }

    /**
     * Whether a subscription that has begun depends on fields that are hidden now, or is to a topic that cannot be shown without
     * them.
     *
     * @param hidden fields of its one topic; null when its client may have nothing.
     */
    public static boolean isAsked(
            final SessionContext context,
            final ClientSubscription subscription,
            final @Nullable FieldSelection hidden) {
        if (hidden == null || hidden.paths().isEmpty() || !subscription.topics().isLiteral()) {
            return false;
        }
        final Topic topic = context.topics().find(subscription.topics().text());
        return hidden.firstTouched(fields(subscription)) != null
                || (topic != null && MessageCutter.whyNotShown(hidden, topic) != null);
    }

    /** What a subscription filters, sorts, selects and conflates by. */
    private static FieldSet fields(final ClientSubscription subscription) {
        final FieldSet fields = new FieldSet();
        if (!subscription.asked().isEmpty()) {
            FilterCompiler.compile(subscription.asked(), fields, FilterLimits.COMBINED);
        }
        if (subscription.plan() != null) {
            fields.slotsOf(subscription.plan().fields());
        }
        final FollowOptions follow = subscription.follow();
        if (follow != null) {
            add(fields, follow.selection());
            add(fields, follow.conflationKey());
        }
        return fields;
    }

    private static void add(final FieldSet to, final @Nullable FieldSelection selection) {
        if (selection != null) {
            selection.paths().forEach(to::slotOf);
        }
    }
}
