package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sequencer's answer to a command to follow a topic that was deleted while the command was on its way. */
class SubscribeCommandTest {
    private static final FollowOptions OOF = new FollowOptions(true, false, false, null, 0, null);
    private static final TopicPattern NAME = TopicPattern.literal("topic0");

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void shouldDistinguishFieldsOfAnotherTopicFromATopicWithoutState(final long replacedFeed) {
        try (StateShard shard = new StateShard(1)) {
            shard.follow(0, 1, OOF);
            final Topic before = shard.topics.get(0);
            shard.replace(0);
            assertThat(follow(shard, 2, before, replacedFeed)).isEqualTo("of another");
            assertThat(shard.state.followed().has(2)).isFalse();
            assertThat(shard.state.followed().has(1)).isEqualTo(replacedFeed == 0);

            assertThat(follow(shard, 3, shard.topics.get(0), 0)).isEqualTo("begun");
            assertThat(shard.state.followed().has(3)).isTrue();
        }
    }

    @Test
    void shouldSayThatThereIsNoStateWhenTheTopicIsGone() {
        try (StateShard shard = new StateShard(1)) {
            shard.delete(0);
            assertThat(follow(shard, 2, shard.topics.get(0), 0)).isEqualTo("stateless");
        }
    }

    private static String follow(final StateShard shard, final long feed, final Topic topic, final long replacedFeed) {
        final ShardCommand command = SubscribeCommands.follow(
                new Interest(feed, 1, 0, NAME, "", OOF), FollowFields.of(topic, OOF), shard.ring, replacedFeed);
        assertThat(command.execute(shard.sequencer.shard().commands())).isTrue();
        shard.cycle();
        return SubscribeCommands.outcome(command);
    }
}
