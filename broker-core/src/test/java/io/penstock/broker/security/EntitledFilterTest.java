package io.penstock.broker.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** How long a filter takes, or whether it runs at all, must not tell anything of a message that may not be seen. */
class EntitledFilterTest {
    private static final Principal BOB = new Principal("bob", Set.of("trader"), Map.of("desk", "E"));
    private static final List<Action> SUBSCRIBE = List.of(Action.SUBSCRIBE);

    private static Permissions permissions() {
        return Permissions.of(List.of(new Role(
                "trader",
                List.of(
                        PermissionRule.allow(List.of("read"), List.of("o*"), "desk = USER('desk')"),
                        PermissionRule.allow(List.of("read"), List.of("o*"), "open = TRUE"),
                        PermissionRule.deny(List.of("read"), List.of("o*"), "secret = TRUE")))));
    }

    @Test
    void shouldEvaluateTheFilterOfAPatternForVisibleMessagesAlone() {
        final Filter own = FilterCompiler.compile("salary > 5", new FieldSet(), FilterLimits.DEFAULTS);
        final Filter filter = Objects.requireNonNull(
                permissions().entitlement(BOB, SUBSCRIBE).filter(own).forTopic("o1"));
        assertReadsNothingHidden(filter);
    }

    @Test
    void shouldEvaluateTheFilterOfATopicForVisibleMessagesAlone() {
        final String text = FilterCompiler.allOf(
                Objects.requireNonNull(permissions().entitlement(BOB, SUBSCRIBE).condition("o1")), "salary > 5");
        assertReadsNothingHidden(FilterCompiler.compile(text, new FieldSet(), FilterLimits.COMBINED));
    }

    @Test
    void shouldWorkOutOnceWhatIsTheSameForManyTopics() {
        final Filter own = FilterCompiler.compile("salary > 5", new FieldSet(), FilterLimits.DEFAULTS);
        final Entitlement entitlement = permissions().entitlement(BOB, SUBSCRIBE);
        final Filter filter = entitlement.filter(own);

        assertThat(filter.forTopic("o2")).isNotNull().isSameAs(filter.forTopic("o1"));
        assertThat(entitlement.condition("o2")).isNotNull().isSameAs(entitlement.condition("o1"));
        assertThat(filter.forTopic("p")).isNull();
        assertThat(entitlement.condition("p")).isNull();
    }

    private static void assertReadsNothingHidden(final Filter filter) {
        assertThat(fieldsRead(filter, "{\"salary\":9,\"desk\":\"W\",\"open\":false,\"secret\":false}", false))
                .doesNotContain("/salary");
        assertThat(fieldsRead(filter, "{\"salary\":9,\"desk\":\"E\",\"secret\":true}", false))
                .doesNotContain("/salary");
        assertThat(fieldsRead(filter, "{\"salary\":9,\"desk\":\"E\",\"secret\":false}", true))
                .contains("/salary");
        assertThat(fieldsRead(filter, "{\"salary\":2,\"desk\":\"E\",\"secret\":false}", false))
                .contains("/salary");
    }

    private static List<String> fieldsRead(final Filter filter, final String message, final boolean isMatch) {
        final FieldReader reader = MessageFormats.formatFor("json").newReader(filter.fields());
        final byte[] bytes = message.getBytes(UTF_8);
        reader.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
        final List<String> read = new ArrayList<>();
        final FieldReader noting = (FieldReader) Proxy.newProxyInstance(
                FieldReader.class.getClassLoader(), new Class<?>[] {FieldReader.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("type")) {
                        read.add(filter.fields().path((Integer) arguments[0]).toString());
                    }
                    try {
                        return method.invoke(reader, arguments);
                    } catch (final InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        assertThat(filter.matches(noting)).isEqualTo(isMatch);
        return read;
    }
}
