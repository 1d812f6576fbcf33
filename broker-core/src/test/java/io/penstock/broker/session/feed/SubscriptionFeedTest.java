package io.penstock.broker.session.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.security.Action;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.topic.TopicPattern;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SubscriptionFeedTest {
    private static final TopicPattern TOPICS = TopicPattern.literal("orders");

    private final ClientSubscription subscription = new ClientSubscription(
            7, TOPICS, new SubscriptionRights(List.of(Action.SUBSCRIBE), "", "", null, null, false), null, null, 1);
    private final SubscriptionFeed live = SubscriptionFeed.live(interest(1), subscription);
    private final SubscriptionFeed fromLog = SubscriptionFeed.fromLog(interest(2), subscription);

    @Test
    void shouldBeLiveAndCompletedWhenItsShardServesItFromTheStart() {
        assertThat(live.state()).isEqualTo(FeedState.LIVE);
        assertThat(live.isCompleted()).isTrue();
        assertThat(live.completedSequence()).isNegative();
        assertThat(live.toSequence()).isEqualTo(Long.MAX_VALUE);
        assertThat(live.fromTimeNs()).isEqualTo(Long.MIN_VALUE);
        assertThat(live.isSuperseded() || live.isEnqueued() || live.isFrozen() || live.isHeld() || live.isDiverting())
                .isFalse();
    }

    @Test
    void shouldBeTurningAndNotCompletedWhenItBeginsInTheLog() {
        assertThat(fromLog.state()).isEqualTo(FeedState.SWITCHING);
        assertThat(fromLog.isCompleted()).isFalse();
        fromLog.completeAt(0);
        assertThat(fromLog.isCompleted()).isFalse();
        fromLog.complete();
        assertThat(fromLog.isCompleted()).isTrue();
        assertThat(fromLog.completedSequence()).isNegative();
    }

    @Test
    void shouldKeepWhatIsLeftToBeSentWhenItIsRenewed() {
        fromLog.completeAt(30);
        fromLog.beginAt(500);
        fromLog.endAt(90);
        fromLog.startSequence(20);
        fromLog.supersede(80);
        fromLog.on(FeedEvent.FILES_STARTED);
        fromLog.onFilesRead(700);

        final Interest renewed = interest(3);
        final SubscriptionFeed next = fromLog.renew(renewed);

        assertThat(next.interest()).isSameAs(renewed);
        assertThat(next.subscription()).isSameAs(subscription);
        assertThat(next.completedSequence()).isEqualTo(30);
        assertThat(next.fromTimeNs()).isEqualTo(500);
        assertThat(next.toSequence()).isEqualTo(79);
        assertThat(next.isSuperseded()).isTrue();
        assertThat(next.lastTimestampNs()).isEqualTo(700);
        next.putOff();
        assertThat(next.nextSequence()).isEqualTo(20);
        assertThat(fromLog.state()).isEqualTo(FeedState.CURSOR);
    }

    @Test
    void shouldLeaveBehindHowItWasServedWhenItIsRenewed() {
        live.nextSequence(40);
        live.hold(true);
        live.freeze(true);
        live.supersede(80);
        live.endInRing(1024);
        live.divert();

        final SubscriptionFeed next = live.renew(interest(3));

        assertThat(next.state()).isEqualTo(FeedState.SWITCHING);
        assertThat(next.isCompleted()).isTrue();
        assertThat(next.nextSequence()).isZero();
        assertThat(next.isHeld() || next.isFrozen() || next.isEnqueued() || next.isDiverting())
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayWhatServesItWhenItIsInAState(final FeedState state) {
        final SubscriptionFeed feed = in(state);
        assertThat(feed.state()).isEqualTo(state);
        assertThat(feed.isAwaitingState()).isEqualTo(state == FeedState.STATE);
        assertThat(feed.isServedByCursor()).isEqualTo(state == FeedState.CURSOR || state == FeedState.FILES);
        assertThat(feed.isReadFromFiles()).isEqualTo(state == FeedState.FILES);
        assertThat(feed.isParked()).isEqualTo(state == FeedState.PARKED);
        assertThat(feed.isStarting()).isEqualTo(state == FeedState.STARTING);
        assertThat(feed.isSwitching()).isEqualTo(state == FeedState.SWITCHING);
        assertThat(feed.isWaiting()).isEqualTo(state == FeedState.WAITING);
        assertThat(feed.hasEnded()).isEqualTo(state == FeedState.ENDED);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDivertUnlessItWaitsWhenItIsPaused(final FeedState state) {
        final SubscriptionFeed feed = in(state);
        feed.divertIfServed();
        assertThat(feed.isDiverting()).isEqualTo(state != FeedState.WAITING);
    }

    @Test
    void shouldNotDivertWhenAllIsInItsRing() {
        live.divert();
        live.supersede(10);
        live.endInRing(0);
        assertThat(live.isEnqueued()).isTrue();
        assertThat(live.ringLimit()).isZero();
        live.divertIfServed();
        assertThat(live.isDiverting()).isFalse();
        live.leaveRing();
        assertThat(live.isEnqueued()).isFalse();
        live.divertIfServed();
        assertThat(live.isDiverting()).isTrue();
    }

    @Test
    void shouldDivertStillWhenItIsResumedAndSuperseded() {
        live.divert();
        live.divertNoMore();
        assertThat(live.isDiverting()).isFalse();
        live.divert();
        live.supersede(10);
        live.divertNoMore();
        assertThat(live.isDiverting()).isTrue();
        live.onDiverted();
        assertThat(live.isDiverting()).isFalse();
    }

    @Test
    void shouldEndWithTheEarliestEndWhenItIsSuperseded() {
        live.endAt(50);
        live.supersede(60);
        assertThat(live.toSequence()).isEqualTo(50);
        live.supersede(40);
        assertThat(live.toSequence()).isEqualTo(39);
    }

    @Test
    void shouldLeaveNoneOutForItsTimeWhenSomethingWasSent() {
        fromLog.beginAt(500);
        fromLog.onSent();
        assertThat(fromLog.fromTimeNs()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void shouldStayAsItIsWhenAnEventIsRefused() {
        assertThatThrownBy(() -> live.on(FeedEvent.CAUGHT_UP)).isInstanceOf(IllegalStateException.class);
        assertThat(live.state()).isEqualTo(FeedState.LIVE);
    }

    private SubscriptionFeed in(final FeedState state) {
        final boolean isInShard = state == FeedState.LIVE || state == FeedState.STATE;
        final SubscriptionFeed feed = isInShard ? live : SubscriptionFeed.fromLog(interest(4), subscription);
        switch (state) {
            case LIVE, SWITCHING -> {}
            case STATE -> feed.awaitState(7);
            case CURSOR -> feed.on(FeedEvent.CURSOR_STARTED);
            case FILES -> feed.on(FeedEvent.FILES_STARTED);
            case PARKED -> feed.on(FeedEvent.HELD_BACK);
            case STARTING -> {
                feed.on(FeedEvent.HELD_BACK);
                feed.on(FeedEvent.RESUMED);
            }
            case WAITING -> feed.putOff();
            case ENDED -> {
                feed.on(FeedEvent.CURSOR_STARTED);
                feed.on(FeedEvent.RANGE_SENT);
            }
        }
        return feed;
    }

    private static Interest interest(final long number) {
        return new Interest(number, 1, 0, TOPICS, "", null);
    }
}
