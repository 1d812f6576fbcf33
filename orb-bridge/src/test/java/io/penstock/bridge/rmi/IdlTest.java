package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.ListenerWithHeaders;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PageWithHeaders;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryPage;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract in OMG IDL and the one in Java say the same. */
class IdlTest {
    private static final Pattern MEMBER = Pattern.compile("([A-Za-z ]+?) (_?\\w+);");
    private static final Pattern OPERATION =
            Pattern.compile("([A-Za-z ]+?) (\\w+)\\(([^)]*)\\)\\s*(raises \\(BrokerException\\))?;");
    private static final Pattern CONSTANT = Pattern.compile("const long (\\w+) = (\\d+);");
    private static final Map<Class<?>, String> TYPES = Map.ofEntries(
            Map.entry(void.class, "void"),
            Map.entry(int.class, "long"),
            Map.entry(long.class, "long long"),
            Map.entry(boolean.class, "boolean"),
            Map.entry(String.class, "string"),
            Map.entry(byte[].class, "Bytes"),
            Map.entry(Publication[].class, "Publications"),
            Map.entry(Delivery[].class, "Deliveries"),
            Map.entry(Header[].class, "HeaderList"),
            Map.entry(DeliveryWithHeaders[].class, "DeliveriesWithHeaders"),
            Map.entry(PublicationWithHeaders[].class, "PublicationsWithHeaders"),
            Map.entry(Callback.class, "MessageListener"));

    private static String idl = "";

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = PenstockBroker.class.getResourceAsStream("Penstock.idl")) {
            assertThat(in).isNotNull();
            idl = new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("//[^\n]*", "");
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Credentials.class,
                Publication.class,
                SubscribeRequest.class,
                QueryRequest.class,
                Delivery.class,
                QueryPage.class,
                Header.class,
                DeliveryWithHeaders.class,
                PageWithHeaders.class,
                PublicationWithHeaders.class,
                BrokerException.class
            })
    void shouldHaveTheSameMembersWhenAValue(final Class<?> type) {
        final String kind = type == BrokerException.class ? "exception" : "struct";
        final String java = Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(field -> idlType(field.getType()) + " " + field.getName())
                .collect(Collectors.joining("\n"));

        final String members = MEMBER.matcher(body(kind + " " + type.getSimpleName()))
                .results()
                .map(each -> each.group(1).strip() + " " + unescaped(each.group(2)))
                .collect(Collectors.joining("\n"));

        assertThat(members).isEqualTo(java);
    }

    @ParameterizedTest
    @ValueSource(classes = {PenstockBroker.class, MessageListener.class, ListenerWithHeaders.class})
    void shouldHaveTheSameOperationsWhenAnInterface(final Class<?> type) {
        final TreeSet<String> java = new TreeSet<>();
        for (final Method method : type.getDeclaredMethods()) {
            java.add(idlType(method.getReturnType()) + " " + method.getName() + "("
                    + Arrays.stream(method.getParameters())
                            .map(each -> parameter(method, each))
                            .collect(Collectors.joining(", "))
                    + ")"
                    + (Arrays.asList(method.getExceptionTypes()).contains(BrokerException.class) ? " raises" : ""));
        }
        final TreeSet<String> operations = new TreeSet<>();
        final Matcher matcher = OPERATION.matcher(body("interface " + type.getSimpleName()
                + (type.getInterfaces()[0] == MessageListener.class ? " : MessageListener" : "")));
        while (matcher.find()) {
            operations.add(matcher.group(1).strip() + " " + matcher.group(2) + "("
                    + matcher.group(3).replaceAll("\\s+", " ").strip() + ")"
                    + (matcher.group(4) == null ? "" : " raises"));
        }

        assertThat(operations).isEqualTo(java);
    }

    @Test
    void shouldHaveTheSameConstantsWhenKindsOfDeliveriesAndHeaders() throws IllegalAccessException {
        final TreeSet<String> java = new TreeSet<>();
        for (final Class<?> type : new Class<?>[] {Delivery.class, Header.class}) {
            for (final Field field : type.getFields()) {
                java.add(field.getName() + " " + field.getInt(null));
            }
        }
        final TreeSet<String> constants = new TreeSet<>();
        CONSTANT.matcher(idl).results().forEach(each -> constants.add(each.group(1) + " " + each.group(2)));

        assertThat(constants).hasSize(9).isEqualTo(java);
    }

    private static String parameter(final Method method, final Parameter parameter) {
        if (method.getName().equals("subscribeWithHeaders") && parameter.getType() == Callback.class) {
            return "in ListenerWithHeaders " + parameter.getName();
        }
        return "in " + idlType(parameter.getType()) + " " + parameter.getName();
    }

    private static String idlType(final Class<?> type) {
        return TYPES.getOrDefault(type, type.getSimpleName());
    }

    private static String unescaped(final String name) {
        return name.startsWith("_") ? name.substring(1) : name;
    }

    private static String body(final String head) {
        final int start = idl.indexOf(head + " {");
        assertThat(start).as(head).isNotNegative();
        return idl.substring(idl.indexOf('{', start) + 1, idl.indexOf("};", start))
                .replaceAll("\\s+", " ");
    }
}
