package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ModelTopic.Event;
import io.penstock.broker.ModelTopic.Version;
import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A subscription: what came for it, the picture that its client has by that, and what the picture should be. */
final class ModelSubscription {
    final List<Object> received = new ArrayList<>();
    boolean ended;
    private ModelInterest interest;

    /** Replacements of the interest, one after the other. */
    private final Deque<Next> next = new ArrayDeque<>();

    private final Map<String, Map<String, @Nullable Object>> picture = new HashMap<>();
    private final Map<String, Long> lastSequences = new HashMap<>();
    private final List<String> delivered = new ArrayList<>();

    /** Sequence from which on the picture has every change; negative when there is no telling. */
    private long since;

    /** Sequence up to which deliveries were compared one by one. */
    private long comparedTo;

    /** Number of switches to lagging when deliveries were compared last. */
    private long turns;

    private boolean whole;
    private boolean inGroup;
    private boolean resynced;
    private boolean replaced;

    /** Whether it may have ended, as a plain subscription that lagged too far, before another one could replace it. */
    private boolean mayHaveEnded;

    /** Whether it had ended so; the broker knows nothing then that could be replaced. */
    private boolean isReplaceRefused;

    private boolean disturbed;
    private long lastSequence;
    private long stateCount;
    private long turnsNow;

    /** How often it was replaced so that nothing was missed, and how often there was no telling. */
    int exactReplaces;

    int uncertainReplaces;

    /** Everything after a sequence is for another interest. */
    record Next(ModelInterest interest, long sequence) {}

    record Begin(long commandId, long sequence) {}

    record End(long commandId, long matches, long returned) {}

    ModelSubscription(final ModelInterest interest, final long sequence, final long turns) {
        this.interest = interest;
        since = sequence;
        comparedTo = sequence;
        this.turns = turns;
        // Deltas of records that were there before say nothing about the rest of them.
        whole = !interest.request.isSow() && !interest.request.isDelta();
        disturbed = interest.request.isSow();
    }

    ModelInterest interest() {
        return interest;
    }

    /** Everything up to a sequence is still sent, and then what the new interest is about; or its state instead. */
    void replace(final ModelInterest by, final long sequence) {
        mayHaveEnded |= !last().isStateful();
        if (by.request.isSow()) {
            received.removeIf(each -> !(each instanceof BrokerError));
            forget(by);
        } else {
            next.add(new Next(by, sequence));
        }
    }

    /** What comes is not looked at before the next state, or the next check. */
    private void forget(final ModelInterest by) {
        next.clear();
        interest = by;
        replaced = true;
        disturbed = true;
        inGroup = false;
    }

    /** The interest has got everything up to the point at which the next one replaced it. */
    private void goOn() {
        final Next taking = next.remove();
        assertThat(inGroup).as("all of the state of the one before has come").isFalse();
        checkEach(taking.sequence);
        checkPicture(taking.sequence);
        interest = taking.interest;
        picture.clear();
        lastSequences.clear();
        delivered.clear();
        since = taking.sequence;
        lastSequence = since;
        whole = !interest.request.isDelta();
        resynced = false;
        disturbed = interest.isFollower();
        exactReplaces++;
    }

    /**
     * Looks at what has come since the last call.
     *
     * @param sequence  newest of the shard.
     * @param turnsSoFar followers that have lagged so far, of all subscriptions.
     */
    void check(final long sequence, final long turnsSoFar) {
        turnsNow = turnsSoFar;
        for (final Object each : List.copyOf(received)) {
            on(each);
        }
        received.clear();
        if (ended) {
            assertThat(last().isStateful() && !isReplaceRefused)
                    .as("ended, though it could be sent the state")
                    .isFalse();
            return;
        }
        assertThat(inGroup).as("all of the state has come").isFalse();
        while (!next.isEmpty()) {
            goOn();
        }
        mayHaveEnded = false;
        checkEach(sequence);
        if (whole && !interest.isConflated()) {
            checkPicture(sequence);
        }
    }

    private ModelInterest last() {
        return next.isEmpty() ? interest : next.getLast().interest;
    }

    private void on(final Object each) {
        if (replaced && isOfFormer(each)) {
            return;
        }
        if (each instanceof Begin begin) {
            if (begin.commandId() == 0 && !next.isEmpty() && begin.sequence() >= next.peek().sequence) {
                onResyncOfNext();
                if (replaced) {
                    return;
                }
            }
            onBegin(begin);
        } else if (each instanceof End end) {
            onEnd(end);
        } else if (each instanceof BrokerError error) {
            onError(error);
        } else {
            onRecord((StateClient.Delivery) each);
        }
    }

    /** What was on its way to the interest that was replaced, or may have been. */
    private static boolean isOfFormer(final Object each) {
        return !(each instanceof BrokerError) && !(each instanceof Begin begin && begin.commandId() > 0);
    }

    /** The last one that takes the place is sent the state, or the one whose place it takes had been before. */
    private void onResyncOfNext() {
        final ModelInterest last = next.getLast().interest;
        final boolean mayBeOfOld = interest.isFollower() || interest.request.isSow();
        if (mayBeOfOld && last.isFollower()) {
            uncertainReplaces++;
            forget(last);
            picture.clear();
            whole = false;
        } else if (!mayBeOfOld) {
            next.clear();
            interest = last;
        }
    }

    private void onBegin(final Begin begin) {
        if (begin.commandId() == 0 || inGroup) {
            // It lagged too far; the rest of a state that was still being sent does not come.
            resynced = true;
        } else {
            resynced = false;
        }
        replaced = false;
        inGroup = true;
        stateCount = 0;
        since = begin.sequence();
        comparedTo = since;
        lastSequence = since;
        disturbed = true;
        picture.clear();
        lastSequences.clear();
        delivered.clear();
        whole = resynced || (interest.request.top() < 0 && interest.request.skip() == 0);
    }

    private void onEnd(final End end) {
        assertThat(inGroup).as("end of a state that has begun").isTrue();
        inGroup = false;
        assertThat(end.returned()).isEqualTo(stateCount);
        final ModelTopic topic = interest.topic;
        if (topic.isAmbiguous(since)) {
            return;
        }
        if (topic instanceof ModelView view) {
            view.check(since);
        }
        final List<Version> matching = topic.at(since).values().stream()
                .filter(version -> interest.filter.matches(version.fields()))
                .toList();
        if (whole) {
            assertThat(picture).as("state at %d", since).hasSize(matching.size());
        } else {
            final long rest = Math.max(0, matching.size() - interest.request.skip());
            final long bounded = interest.request.top() < 0 ? rest : Math.min(rest, interest.request.top());
            // All of it comes when it lagged too far before the first of its state was sent.
            assertThat(stateCount).isIn(bounded, (long) matching.size());
        }
    }

    private void onError(final BrokerError error) {
        if (error.errorCode() == ErrorCode.FELL_BEHIND) {
            assertThat(last().isStateful() && !mayHaveEnded)
                    .as("ended, though it could be sent the state: %s", error)
                    .isFalse();
            ended = true;
        } else if (ended && error.errorCode() == ErrorCode.UNKNOWN_SUBSCRIPTION) {
            isReplaceRefused = true;
        } else {
            // A state that cannot be sent any more is begun anew.
            throw new AssertionError(error);
        }
    }

    private void onRecord(final StateClient.Delivery delivery) {
        while (!replaced && !inGroup && !next.isEmpty() && delivery.sequence() > next.peek().sequence) {
            goOn();
        }
        final ModelTopic topic = interest.topic;
        final Map<String, @Nullable Object> fields = ModelJson.parse(delivery.text());
        final String key = topic.key(fields, delivery.key());
        assertThat(key).as("key of %s", delivery).isNotNull();
        if (replaced) {
            return;
        }
        assertThat(delivery.kind() == RecordKind.STATE)
                .as("state: %s", delivery)
                .isEqualTo(inGroup);
        switch (delivery.kind()) {
            case STATE -> onState(delivery, key, fields);
            case MESSAGE -> {
                assertRises(delivery, key);
                assertRecord(delivery, key, fields);
                picture.put(key, fields);
            }
            case DELTA -> {
                assertRises(delivery, key);
                onDelta(delivery, key, fields);
            }
            default -> {
                assertRises(delivery, key);
                onOutOfFocus(delivery, key, fields);
            }
        }
        if (delivery.kind() != RecordKind.STATE) {
            final Event event = topic.event(key, delivery.sequence());
            delivered.add((event == null ? delivery.sequence() : event.first()) + " " + key + " " + delivery.kind()
                    + " " + canonical(fields));
        }
    }

    private void onState(
            final StateClient.Delivery delivery, final String key, final Map<String, @Nullable Object> fields) {
        stateCount++;
        assertThat(picture).as("once: %s", delivery).doesNotContainKey(key);
        picture.put(key, fields);
        if (interest.topic.isAmbiguous(since)) {
            return;
        }
        final Version version = interest.topic.at(key, since);
        assertThat(version).as("at %d: %s", since, delivery).isNotNull();
        assertThat(delivery.sequence()).isEqualTo(version.sequence());
        assertThat(interest.filter.matches(version.fields())).as("%s", delivery).isTrue();
        interest.assertShows(delivery, fields, version.fields());
    }

    /** Sequences rise; those of a follower that catches up do so for each record. */
    private void assertRises(final StateClient.Delivery delivery, final String key) {
        assertThat(delivery.sequence())
                .as("sequence of %s", delivery)
                .isGreaterThan(interest.isFollower() ? lastSequences.getOrDefault(key, since) : lastSequence);
        lastSequences.put(key, delivery.sequence());
        lastSequence = delivery.sequence();
    }

    private Version assertRecord(
            final StateClient.Delivery delivery, final String key, final Map<String, @Nullable Object> fields) {
        final Version version = interest.topic.at(key, delivery.sequence());
        assertThat(version).as("there: %s", delivery).isNotNull();
        assertThat(version.sequence()).as("%s", delivery).isEqualTo(delivery.sequence());
        assertThat(interest.filter.matches(version.fields()))
                .as("matches: %s", delivery)
                .isTrue();
        if (delivery.kind() == RecordKind.MESSAGE) {
            interest.assertShows(delivery, fields, version.fields());
        }
        return version;
    }

    private void onDelta(
            final StateClient.Delivery delivery, final String key, final Map<String, @Nullable Object> fields) {
        assertThat(interest.request.isDelta()).as("%s", delivery).isTrue();
        final Version version = assertRecord(delivery, key, fields);
        final Map<String, @Nullable Object> known = picture.get(key);
        if (known == null) {
            assertThat(whole)
                    .as("delta of a record that is not known: %s", delivery)
                    .isFalse();
            return;
        }
        final Map<String, @Nullable Object> merged = ModelJson.merged(known, fields);
        picture.put(key, merged);
        if (whole) {
            interest.assertShows(delivery, merged, version.fields());
        }
    }

    private void onOutOfFocus(
            final StateClient.Delivery delivery, final String key, final Map<String, @Nullable Object> fields) {
        assertThat(interest.request.isOof()).as("%s", delivery).isTrue();
        final Version version = interest.topic.at(key, delivery.sequence());
        if (delivery.kind() == RecordKind.OOF_MATCH) {
            assertThat(version).as("%s", delivery).isNotNull();
            assertThat(version.sequence()).isEqualTo(delivery.sequence());
            assertThat(interest.filter.matches(version.fields()))
                    .as("%s", delivery)
                    .isFalse();
            interest.assertShows(delivery, fields, version.fields());
        } else if (!interest.topic.isAmbiguous(delivery.sequence())) {
            assertThat(version).as("gone: %s", delivery).isNull();
        }
        assertThat(picture.remove(key) != null || !whole || interest.sinceStart(key, since))
                .as("out of focus, though it was not in: %s", delivery)
                .isTrue();
    }

    /** Compares deliveries one by one, if no subscription lagged meanwhile. */
    private void checkEach(final long sequence) {
        final boolean exact = interest.isFollower() ? turns == turnsNow && !disturbed : !replaced && !disturbedPlain();
        if (exact && !interest.isConflated()) {
            final List<String> expected = new ArrayList<>();
            for (final Event event : interest.topic.events) {
                if (event.first() > comparedTo && event.first() <= sequence) {
                    final String line = interest.expected(event);
                    if (line != null) {
                        expected.add(event.first() + " " + event.key() + " " + line);
                    }
                }
            }
            assertThat(sorted(delivered)).as("each change since %d", comparedTo).isEqualTo(sorted(expected));
        }
        delivered.clear();
        comparedTo = sequence;
        turns = turnsNow;
        disturbed = false;
        replaced = false;
    }

    private boolean disturbedPlain() {
        return disturbed && !interest.request.isSow();
    }

    /** Deletes of one command come in any order. */
    private static List<String> sorted(final List<String> lines) {
        final Map<Long, List<String>> bySequence = new LinkedHashMap<>();
        for (final String line : lines) {
            bySequence
                    .computeIfAbsent(Long.valueOf(line.substring(0, line.indexOf(' '))), ignored -> new ArrayList<>())
                    .add(line);
        }
        return bySequence.values().stream()
                .flatMap(each -> each.stream().sorted())
                .toList();
    }

    /** Compares the picture with the state, when everything has been sent. */
    void checkPicture(final long sequence) {
        if (!whole || replaced || ended) {
            return;
        }
        final Map<String, Version> records = interest.topic.at(sequence);
        final boolean fromState = interest.request.isSow() || resynced;
        records.values().forEach(version -> {
            if (interest.filter.matches(version.fields()) && (fromState || version.sequence() > since)) {
                assertThat(picture).as("missed %s", version).containsKey(version.key());
                interest.assertShows(version, picture.get(version.key()), version.fields());
            }
        });
        if (interest.request.isOof()) {
            picture.keySet().forEach(key -> {
                final Version version = records.get(key);
                assertThat(version != null && interest.filter.matches(version.fields()))
                        .as("still in the picture: %s, which is %s", key, version)
                        .isTrue();
            });
        }
    }

    static String canonical(final Map<String, @Nullable Object> fields) {
        return ModelJson.write(ordered(fields));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> ordered(final Map<String, @Nullable Object> fields) {
        final Map<String, @Nullable Object> ordered = new TreeMap<>(fields);
        ordered.replaceAll((name, value) ->
                value instanceof Map<?, ?> inner ? ordered((Map<String, @Nullable Object>) inner) : value);
        return ordered;
    }

    @Override
    public String toString() {
        return interest.request + " since " + since;
    }
}
