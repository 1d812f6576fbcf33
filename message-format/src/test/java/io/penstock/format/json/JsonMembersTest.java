package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Names thought up to have the same hash, as far as the chains of an object go by it. */
final class JsonMembersTest {
    private static final int COUNT = 120;
    private static final int CHAIN_COUNT = 1024;

    private final JsonNames names = new JsonNames();
    private final List<String> colliding = collidingNames();
    private final JsonMembers members = new JsonMembers();

    private List<String> collidingNames() {
        final List<String> found = new ArrayList<>();
        for (int i = 0; found.size() < COUNT; i++) {
            final String name = Integer.toString(i, 36) + (i % 3 == 0 ? " and a longer name" : "");
            if ((hash(name) & (CHAIN_COUNT - 1)) == 0) {
                found.add(name);
            }
        }
        return found;
    }

    private int hash(final String name) {
        final JsonBytes bytes = new JsonBytes();
        bytes.wrap(message(name), 0, name.length());
        return names.hash(bytes, 0, name.length());
    }

    private static UnsafeBuffer message(final String text) {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String object(final List<String> names, final int firstValue) {
        final StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < names.size(); i++) {
            text.append(i == 0 ? "\"" : ",\"")
                    .append(names.get(i))
                    .append("\":")
                    .append(firstValue + i);
        }
        return text.append('}').toString();
    }

    private int find(final String name) {
        final JsonBytes bytes = new JsonBytes();
        final byte[] quoted = (name + '"').getBytes(StandardCharsets.UTF_8);
        bytes.wrap(new UnsafeBuffer(quoted), 0, quoted.length);
        return members.find(bytes, 0, quoted.length - 1, names.hash(bytes, 0, quoted.length - 1));
    }

    @Test
    void shouldFindMembersWhoseHashesCollide() {
        final UnsafeBuffer message = message(object(colliding, 0));
        members.wrap(message, 0, message.capacity());
        members.open(0);
        assertThat(members.end() - members.first()).isEqualTo(COUNT);
        for (int i = 0; i < COUNT; i++) {
            assertThat(find(colliding.get(i))).isEqualTo(members.first() + i);
            assertThat(find(colliding.get(i) + "x")).isEqualTo(JsonMembers.NONE);
        }
        assertThat(find("")).isEqualTo(JsonMembers.NONE);
    }

    @Test
    void shouldKeepTheFirstOfEqualNamesWhoseHashesCollide() {
        final List<String> twice = new ArrayList<>(colliding);
        twice.addAll(colliding);
        Collections.shuffle(twice, new Random(1));
        final UnsafeBuffer message = message(object(twice, 100));
        members.wrap(message, 0, message.capacity());
        members.open(0);
        assertThat(members.end() - members.first()).isEqualTo(COUNT);
        for (final String name : colliding) {
            final int member = find(name);
            final int value = message.parseIntAscii(
                    members.valueStart(member), members.valueEnd(member) - members.valueStart(member));
            assertThat(value).isEqualTo(100 + twice.indexOf(name));
        }
    }

    @Test
    void shouldKeepOuterMembersWhenInnerObjectsAreOpened() {
        final UnsafeBuffer message = message("{\"a\":1,\"o\":{\"a\":2,\"b\":3},\"c\":4}");
        members.wrap(message, 0, message.capacity());
        members.open(0);
        final int inner = members.valueStart(find("o"));
        members.open(inner);
        assertThat(message.getByte(members.valueStart(find("a")))).isEqualTo((byte) '2');
        assertThat(find("c")).isEqualTo(JsonMembers.NONE);
        members.close();
        assertThat(message.getByte(members.valueStart(find("a")))).isEqualTo((byte) '1');
        assertThat(message.getByte(members.valueStart(find("c")))).isEqualTo((byte) '4');
        assertThat(find("b")).isEqualTo(JsonMembers.NONE);
    }
}
