package io.penstock.system.permission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generated rules, users and commands over every transport, each compared with a model that reads the rules for each message. Long
 * form: {@code -Dpenstock.permissionCases=10000}; {@code -Dpenstock.seed} is that of the first scene.
 */
@Timeout(1800)
class PermissionMatrixTest {
    private static final int CASES = Integer.getInteger("penstock.permissionCases", 210);
    private static final long FIRST_SEED = Long.getLong("penstock.seed", 1);
    private static final int CASES_OF_SCENE = 14;

    /** Scenes of one broker; then another begins with an empty log. */
    private static final int SCENES_OF_BROKER = 100;

    private static final int SMALLER_TRIES = 400;

    @TempDir
    Path folder;

    @Test
    void shouldDoWhatTheRulesSayOverEveryTransport() throws Exception {
        final Map<String, Integer> counts = new TreeMap<>();
        final int scenes = (CASES + CASES_OF_SCENE - 1) / CASES_OF_SCENE;
        for (int first = 0; first < scenes; first += SCENES_OF_BROKER) {
            final Path own = Files.createDirectory(folder.resolve("broker-" + first));
            try (MatrixBroker broker = new MatrixBroker(own, first)) {
                for (int i = first; i < Math.min(scenes, first + SCENES_OF_BROKER); i++) {
                    check(broker, FIRST_SEED + i, counts);
                }
            }
        }
        counts.forEach((what, count) -> System.out.println(what + ": " + count));
        for (final Transport each : Transport.values()) {
            final int cases = counts.getOrDefault(each + " cases", 0);
            assertThat(cases).as("cases over %s", each).isGreaterThanOrEqualTo(CASES / Transport.values().length);
            assertThat(counts.getOrDefault(each + " refused", 0))
                    .as("refused over %s", each)
                    .isBetween(1, cases - 1);
        }
    }

    private static void check(final MatrixBroker broker, final long seed, final Map<String, Integer> counts)
            throws Exception {
        final Scene scene = new SceneGenerator(seed).scene(CASES_OF_SCENE);
        final String wrong = broker.run(scene, counts);
        if (wrong != null) {
            final Scene smallest = smallest(broker, scene);
            final String again = broker.run(smallest, null);
            throw new AssertionError("seed " + seed + ": " + wrong + "\nsmallest case that differs:\n  " + smallest
                    + "\n" + (again == null ? "(not each time)" : again) + "\n(repeat with -Dpenstock.seed=" + seed
                    + " -Dpenstock.permissionCases=" + CASES_OF_SCENE + ")");
        }
    }

    /** Leaves out one thing after the other as long as there is a difference. */
    private static Scene smallest(final MatrixBroker broker, final Scene failing) throws Exception {
        final int[] tries = {SMALLER_TRIES};
        final Predicate<Scene> differs = scene -> tries[0]-- > 0 && differs(broker, scene);
        Scene scene = failing;
        @Nullable Scene smaller = failing;
        while (smaller != null) {
            scene = smaller;
            smaller = smaller(scene).stream().filter(differs).findFirst().orElse(null);
        }
        return scene;
    }

    private static boolean differs(final MatrixBroker broker, final Scene scene) {
        try {
            return broker.run(scene, null) != null;
        } catch (final Exception e) {
            throw new AssertionError("a part of the scene cannot be run: " + scene, e);
        }
    }

    private static List<Scene> smaller(final Scene scene) {
        final List<Scene> all = new ArrayList<>();
        if (scene.commands().size() > 1) {
            scene.commands()
                    .forEach(each -> all.add(new Scene(scene.roles(), scene.before(), scene.after(), List.of(each))));
        }
        without(scene.commands())
                .forEach(each -> all.add(new Scene(scene.roles(), scene.before(), scene.after(), each)));
        scene.roles()
                .forEach((role, rules) -> smallerRules(rules).forEach(each -> {
                    final Map<String, List<Rule>> roles = new TreeMap<>(scene.roles());
                    roles.put(role, each);
                    all.add(new Scene(roles, scene.before(), scene.after(), scene.commands()));
                }));
        without(scene.before())
                .forEach(each -> all.add(new Scene(scene.roles(), each, scene.after(), scene.commands())));
        without(scene.after())
                .forEach(each -> all.add(new Scene(scene.roles(), scene.before(), each, scene.commands())));
        return all;
    }

    /** One of the rules is left out, or hides one field less. */
    private static List<List<Rule>> smallerRules(final List<Rule> rules) {
        final List<List<Rule>> all = new ArrayList<>(without(rules));
        for (int i = 0; i < rules.size(); i++) {
            final Rule rule = rules.get(i);
            for (final List<String> hide : without(rule.hide())) {
                final List<Rule> changed = new ArrayList<>(rules);
                changed.set(i, new Rule(rule.isAllow(), rule.words(), rule.topics(), rule.condition(), hide));
                all.add(changed);
            }
        }
        return all;
    }

    private static <T> List<List<T>> without(final List<T> all) {
        final List<List<T>> results = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            final List<T> rest = new ArrayList<>(all);
            rest.remove(i);
            results.add(rest);
        }
        return results;
    }
}
