package io.penstock.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

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
            "concurrent",
            "event",
            "storage",
            "sink",
            "filter",
            "security",
            "topic",
            "journal",
            "state",
            "query",
            "match",
            "session",
            "agent",
            "admin");

    static List<String> layers() {
        return LAYERS;
    }

    @ParameterizedTest
    @MethodSource("layers")
    void shouldKnowNothingAboveItWhenInALayer(final String layer) {
        final List<String> above = LAYERS.subList(LAYERS.indexOf(layer) + 1, LAYERS.size());
        final String[] packages = new String[above.size() + 1];
        for (int i = 0; i < above.size(); i++) {
            packages[i] = ROOT + "." + above.get(i) + "..";
        }
        packages[above.size()] = ROOT;
        noClasses()
                .that()
                .resideInAPackage(ROOT + "." + layer + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .allowEmptyShould(true)
                .check(Production.CLASSES);
    }

    @ParameterizedTest
    @MethodSource("packagesOutsideTheLayers")
    void shouldBeALayerWhenAPackageOfTheBroker(final String name) {
        org.assertj.core.api.Assertions.assertThat(LAYERS).contains(name);
    }

    static List<String> packagesOutsideTheLayers() {
        return Production.CLASSES.stream()
                .map(type -> type.getPackageName())
                .filter(name -> name.startsWith(ROOT + "."))
                .map(name -> name.substring(ROOT.length() + 1).split("\\.", -1)[0])
                .distinct()
                .sorted()
                .toList();
    }
}
