package io.penstock.system.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs call one package of the client; the packages that implement it may be used by few others. */
@Tag("one-jdk")
class ClientRoomsTest {
    private static final String CLIENT = "io.penstock.client";

    /** Each room, and those that it may know besides the API. */
    private static final Map<String, List<String>> ROOMS = Map.of(
            "warning", List.of(),
            "lane", List.of(),
            "store", List.of("warning"),
            "sink", List.of("warning"),
            "session", List.of("sink", "warning"),
            "engine", List.of("session", "sink", "warning"));

    /** What of the API stands on rooms, and so is not known in any of them. */
    private static final List<String> FACADES = List.of(
            "Administration",
            "Block",
            "BlockWriter",
            "ClientSession",
            "ExecutorSink",
            "FlowSink",
            "HeldMessages",
            "MessageList",
            "MessagePublisher",
            "MessageStream",
            "PenstockClient",
            "PublishingClient",
            "QueryStream",
            "SessionCommands",
            "SubscribingClient",
            "Subscription",
            "SubscriptionSink");

    /** They make what programs ask them for, and warn unless they are overridden: the rooms know them. */
    private static final List<String> ON_BOTH_SIDES =
            List.of("BookmarkStore", "MessageHandler", "PublishErrorHandler", "PublishStore");

    static List<String> rooms() {
        return ROOMS.keySet().stream().sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void shouldBeKnownToTheClientOnlyWhenARoom(final String room) {
        noClasses()
                .that()
                .resideOutsideOfPackages(CLIENT, CLIENT + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(packageOf(room))
                .check(Production.CLASSES);
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void shouldKnowOnlyTheRoomsBelowItWhenARoom(final String room) {
        final String[] known = ROOMS.getOrDefault(room, List.of()).stream()
                .map(ClientRoomsTest::packageOf)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(packageOf(room))
                .should()
                .dependOnClassesThat(resideInAPackage(CLIENT + ".(*)..")
                        .and(resideOutsideOfPackages(known))
                        .and(resideOutsideOfPackages(packageOf(room))))
                .check(Production.CLASSES);
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void shouldNotKnowWhatStandsOnItWhenARoom(final String room) {
        final String[] names = FACADES.stream().map(name -> CLIENT + "." + name).toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(packageOf(room))
                .should()
                .dependOnClassesThat(resideInAPackage(CLIENT)
                        .and(describe(
                                "stand on rooms",
                                type -> List.of(names).contains(outermost(type).getName()))))
                .check(Production.CLASSES);
    }

    /** Both lists are complete: nothing else of the API knows a room. */
    @Test
    void shouldBeNamedWhenAClassOfTheApiKnowsARoom() {
        final TreeSet<String> knowing = new TreeSet<>();
        for (final JavaClass type : Production.CLASSES) {
            if (type.getPackageName().equals(CLIENT)
                    && type.getDirectDependenciesFromSelf().stream()
                            .anyMatch(dependency ->
                                    dependency.getTargetClass().getPackageName().startsWith(CLIENT + "."))) {
                knowing.add(outermost(type).getSimpleName());
            }
        }
        final TreeSet<String> named = new TreeSet<>(FACADES);
        named.addAll(ON_BOTH_SIDES);
        assertThat(knowing).containsExactlyElementsOf(named);
    }

    @Test
    void shouldBeNamedWhenAPackageOfTheClient() {
        assertThat(Production.CLASSES.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> name.startsWith(CLIENT + "."))
                        .map(name -> name.substring(CLIENT.length() + 1))
                        .distinct()
                        .sorted())
                .containsExactlyElementsOf(rooms());
    }

    private static String packageOf(final String room) {
        return CLIENT + "." + room + "..";
    }

    private static JavaClass outermost(final JavaClass type) {
        return type.getEnclosingClass().map(ClientRoomsTest::outermost).orElse(type);
    }
}
