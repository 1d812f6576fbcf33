package io.penstock.broker.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.FilterLimits;
import io.penstock.broker.format.FieldReader;
import io.penstock.broker.format.FieldSet;
import io.penstock.broker.format.MessageFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.ArrayUtil;
import org.jspecify.annotations.Nullable;

/**
 * The live subscriptions of one topic, by filter: equal filters are evaluated once a message, and all filters read the
 * message once together. Confined to the sequencer.
 */
final class TopicMatcher {
    private static final LiveSubscription[] NONE = new LiveSubscription[0];

    /** Fields that no filter reads any more are dropped when there are this many more than there were. */
    private static final int FIELD_GARBAGE_MAX = 256;

    private final MessageFormat format;
    private final List<FilterGroup> groups = new ArrayList<>();
    private LiveSubscription[] unfiltered = NONE;
    private FieldSet fields = new FieldSet();
    private @Nullable FieldReader reader;
    private int fieldCountKept;

    TopicMatcher(final MessageFormat format) {
        this.format = format;
    }

    boolean isEmpty() {
        return unfiltered.length == 0 && groups.isEmpty();
    }

    void add(final LiveSubscription subscription) {
        final String text = subscription.interest.filter();
        if (text.isEmpty()) {
            unfiltered = ArrayUtil.add(unfiltered, subscription);
            return;
        }
        for (final FilterGroup group : groups) {
            if (group.text.equals(text)) {
                group.subscriptions = ArrayUtil.add(group.subscriptions, subscription);
                return;
            }
        }
        if (fields.count() - fieldCountKept > FIELD_GARBAGE_MAX) {
            recompile();
        }
        groups.add(new FilterGroup(text, compile(text), new LiveSubscription[] {subscription}));
        reader = format.newReader(fields);
    }

    void remove(final LiveSubscription subscription) {
        unfiltered = ArrayUtil.remove(unfiltered, subscription);
        for (int i = groups.size() - 1; i >= 0; i--) {
            final FilterGroup group = groups.get(i);
            group.subscriptions = ArrayUtil.remove(group.subscriptions, subscription);
            if (group.subscriptions.length == 0) {
                groups.remove(i);
            }
        }
    }

    /** Tells a matcher each live subscription that a message is for. */
    void match(
            final DirectBuffer buffer,
            final int payloadOffset,
            final int payloadLength,
            final SubscriptionIndex onMatch) {
        for (final LiveSubscription subscription : unfiltered) {
            onMatch.onMatch(subscription);
        }
        final FieldReader message = reader;
        if (message == null) {
            return;
        }
        message.wrap(buffer, payloadOffset, payloadLength);
        for (int i = 0, size = groups.size(); i < size; i++) {
            final FilterGroup group = groups.get(i);
            if (group.isAnyLive() && group.filter.matches(message)) {
                for (final LiveSubscription subscription : group.subscriptions) {
                    onMatch.onMatch(subscription);
                }
            }
        }
    }

    private Filter compile(final String text) {
        return FilterCompiler.compile(text, fields, FilterLimits.DEFAULTS);
    }

    private void recompile() {
        fields = new FieldSet();
        for (final FilterGroup group : groups) {
            group.filter = compile(group.text);
        }
        fieldCountKept = fields.count();
    }

    @Override
    public String toString() {
        return "TopicMatcher[unfiltered=" + Arrays.toString(unfiltered) + ", filters=" + groups.size() + "]";
    }

    /** Subscriptions with the same filter. */
    private static final class FilterGroup {
        final String text;
        Filter filter;
        LiveSubscription[] subscriptions;

        FilterGroup(final String text, final Filter filter, final LiveSubscription[] subscriptions) {
            this.text = text;
            this.filter = filter;
            this.subscriptions = subscriptions;
        }

        boolean isAnyLive() {
            for (final LiveSubscription subscription : subscriptions) {
                if (subscription.state == LiveSubscription.State.LIVE) {
                    return true;
                }
            }
            return false;
        }
    }
}
