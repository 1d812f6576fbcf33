package io.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where members of one object are looked for, by their names. */
class FieldNodeTest {
    private static final int COUNT = 10_000;
    private static final int SECTION_SHIFT = 56;
    private static final int BUCKET_SHIFT = 40;

    /** Of a section's table, which is a quarter full. */
    private static final int BUCKET_MASK = 255;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%04d",
                "f%04d",
                "field%04d",
                "attribute_%04d",
                "attribute_of_the_customer_%04d",
                "attributes_%04d_",
                "sixteen_bytes%04d",
                "twentyfour_bytes_and%04d",
                "%04d_attribute"
            })
    void shouldSpreadNamesThatDifferInANumber(final String format) {
        final Map<Long, Integer> sections = new HashMap<>();
        final Map<Long, Integer> buckets = new HashMap<>();
        for (int i = 0; i < COUNT; i++) {
            final long hash = new FieldNode(String.format(format, i)).hash();
            final long section = hash >>> SECTION_SHIFT;
            sections.merge(section, 1, Integer::sum);
            buckets.merge(section << BUCKET_SHIFT | (hash >>> BUCKET_SHIFT & BUCKET_MASK), 1, Integer::sum);
        }
        assertThat(sections.values()).allMatch(count -> count < 4 * COUNT / 256);
        assertThat(buckets.values()).allMatch(count -> count < 16);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"f%d", "attribute_%04d", "12345678", "1234567", "123456789", "sixteen_bytes123", "ä%dßöü_%d_€"})
    void shouldFindEachMemberByItsName(final String format) {
        final FieldSet fields = new FieldSet();
        for (int i = 0; i < COUNT; i++) {
            fields.slotOf(FieldPath.of(String.format(format, i, i)));
        }
        final FieldNode root = FieldNode.rootOf(fields);
        for (int slot = 0; slot < fields.count(); slot++) {
            final String name = fields.path(slot).steps().get(0).name();
            // With something behind it, and at the end.
            assertThat(find(root, name, "\":1,\"abcdefgh\"")).as(name).isEqualTo(slot);
            assertThat(find(root, name, "")).as(name).isEqualTo(slot);
            assertThat(find(root, name + "_", "")).as(name).isEqualTo(FieldNode.NO_SLOT);
        }
    }

    private static int find(final FieldNode root, final String name, final String behind) {
        final UnsafeBuffer message = new UnsafeBuffer((name + behind).getBytes(UTF_8));
        final int length = name.getBytes(UTF_8).length;
        final MessageBytes bytes = new MessageBytes();
        bytes.wrap(message, 0, message.capacity());
        final FieldNode node = root.member(bytes, 0, length, MessageBytes.firstBytes(bytes.word(0), length));
        return node == null ? FieldNode.NO_SLOT : node.slot();
    }
}
