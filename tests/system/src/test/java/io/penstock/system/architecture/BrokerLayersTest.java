package io.penstock.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The broker's packages stand on each other in one order, and none knows what stands on it. */
@Tag("one-jdk")
class BrokerLayersTest {
    private static final String ROOT = "io.penstock.broker";

    /** Bottom up. */
    private static final List<String> LAYERS = List.of(
            "config",
            "concurrent",
            "metric",
            "event",
            "storage",
            "sink",
            "staging",
            "filter.regex",
            "filter.value",
            "filter.syntax",
            "filter.condition",
            "filter.program",
            "filter",
            "security.audit",
            "security",
            "security.user",
            "security.token",
            "topic",
            "monitor",
            "shard.log",
            "journal.record",
            "journal.snapshot",
            "journal",
            "journal.backup",
            "shard.store",
            "query.exact",
            "query.join",
            "query.column",
            "query.block",
            "query.explain",
            "query.scan",
            "query.collect",
            "query",
            "shard.match.index",
            "shard.match",
            "shard.order",
            "shard.command",
            "shard.follow",
            "shard.state.join",
            "shard.state",
            "shard.recovery",
            "history",
            "shard",
            "shard.replica",
            "shard.feed",
            "session.text",
            "session.send",
            "session.feed",
            "session.client",
            "session.connect",
            "session.publish",
            "session.query",
            "session.subscribe",
            "session.sink",
            "session.deliver",
            "session",
            "agent");

    static List<String> layers() {
        return LAYERS;
    }

    @ParameterizedTest
    @MethodSource("layers")
    void shouldKnowNothingAboveItWhenInALayer(final String layer) {
        final List<String> above = LAYERS.subList(LAYERS.indexOf(layer) + 1, LAYERS.size());
        final String[] packages = new String[above.size() + 1];
        for (int i = 0; i < above.size(); i++) {
            packages[i] = ROOT + "." + above.get(i);
        }
        packages[above.size()] = ROOT;
        noClasses()
                .that()
                .resideInAPackage(ROOT + "." + layer)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .check(Production.CLASSES);
    }

    @ParameterizedTest
    @MethodSource("packagesOfTheBroker")
    void shouldBeALayerWhenAPackageOfTheBroker(final String name) {
        assertThat(LAYERS).contains(name);
    }

    static List<String> packagesOfTheBroker() {
        return Production.CLASSES.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(ROOT + "."))
                .map(name -> name.substring(ROOT.length() + 1))
                .distinct()
                .sorted()
                .toList();
    }
}
