package io.penstock.broker.session.subscribe;

import io.penstock.broker.query.QueryFailure;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.TopicRights;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionRights;
import io.penstock.broker.session.query.HiddenFields;
import io.penstock.broker.session.text.Refusal;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Has new permissions hold for what clients have begun: sessions that may not connect any more end, as do subscriptions
 * and queries that would be others by the new permissions. All of that happens between two sends of the agent that sends
 * to these clients, so that nothing follows which they may not see any more, wherever it waits. Confined to one I/O agent.
 */
public final class PermissionChange {
    private final SessionContext context;
    private final SubscriptionEnding ending;
    private final FilterChange filters;

    PermissionChange(final SessionContext context, final SubscriptionEnding ending, final FilterChange filters) {
        this.context = context;
        this.ending = ending;
        this.filters = filters;
    }

    /** Looks again at all that a client has begun. A second look without another change does nothing. */
    public void apply(final Session session) {
        if (!context.gate().allows(session.profile().principal(), Action.CONNECT, "")) {
            context.fail(
                    session,
                    0,
                    ErrorCode.NOT_AUTHORIZED,
                    "session: the permissions have changed, and give " + nameOf(session)
                            + " no right any more (ask for a role)");
            return;
        }
        context.topics().decideAnew(session);
        final List<ClientSubscription> subscriptions = new ArrayList<>();
        session.subscriptions().byId().forEach(subscriptions::add);
        for (final ClientSubscription subscription : subscriptions) {
            lookAt(session, subscription);
        }
        for (final ClientQuery query : session.queries().running()) {
            if (query.subscription() == null && query.delete() == null && isOther(session, query)) {
                query.run().fail(QueryFailure.PERMISSIONS_CHANGED);
                query.drop();
            }
        }
    }

    private void lookAt(final Session session, final ClientSubscription subscription) {
        final List<ClientSubscription> all = Succession.all(session, subscription);
        final List<SubscriptionRights> rights = new ArrayList<>();
        boolean isOther = false;
        boolean isTooLong = false;
        for (final ClientSubscription each : all) {
            final SubscriptionRights now =
                    each.rights().now(context.gate(), session.profile().principal(), each.topics());
            if (!each.rights().equals(now)) {
                isOther = true;
                isTooLong |= now.isTooMuch();
            }
            rights.add(now);
        }
        if (!isOther) {
            return;
        }
        final String subject = "subscription " + subscription.id() + " to "
                + subscription.topics().text() + ": the permissions have changed, and ";
        if (isDenied(subscription, rights.get(rights.size() - 1))) {
            ending.end(
                    session,
                    subscription,
                    new Refusal(ErrorCode.NOT_AUTHORIZED, subject + whyNot(session, subscription)));
        } else if (isTooLong) {
            context.gate()
                    .onFiltersTooLong(
                            session.profile().principal(),
                            "subscription to " + subscription.topics().text() + " with the filter of its client");
            ending.end(
                    session,
                    subscription,
                    new Refusal(
                            ErrorCode.PERMISSIONS_CHANGED,
                            subject + "its filter is too long together with those that limit it now (subscribe again,"
                                    + " and filter by less)"));
        } else if (!filters.change(session, all, rights)) {
            ending.end(
                    session,
                    subscription,
                    new Refusal(
                            ErrorCode.PERMISSIONS_CHANGED,
                            subject + nameOf(session) + " may see other messages now (subscribe again to get those)"));
        }
    }

    /** Whether a subscription may not be there any more. One that was replaced may: nothing more of it is sent. */
    private boolean isDenied(final ClientSubscription subscription, final SubscriptionRights now) {
        return !subscription.rights().equals(now)
                && (now.condition() == null || HiddenFields.isAsked(context, subscription, now.hidden()));
    }

    private String whyNot(final Session session, final ClientSubscription subscription) {
        final Principal principal = session.profile().principal();
        final SubscriptionRights rights = subscription.rights();
        final String topics = subscription.topics().text();
        return context.gate().areFiltersTooLong(principal, rights.actions(), topics)
                ? context.gate().whyNot(principal, rights.actions(), topics)
                : "do not allow it to " + principal.name() + " any more (ask for a role)";
    }

    private boolean isOther(final Session session, final ClientQuery query) {
        for (final QuerySource source : query.sources()) {
            final TopicRights rights =
                    context.topics().access(session, source.topic()).rights();
            if (!source.condition().equals(query.history() == null ? rights.query() : rights.past())
                    || !source.hidden().equals(rights.hidden())) {
                return true;
            }
        }
        return false;
    }

    private static String nameOf(final Session session) {
        return session.profile().principal().name();
    }
}
