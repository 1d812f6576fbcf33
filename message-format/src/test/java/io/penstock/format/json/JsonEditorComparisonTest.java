package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldSelection;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages drawn from seeds, edited as simple code edits trees; more with {@code -Dpenstock.seeds=1000}. */
final class JsonEditorComparisonTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final int PAIRS_PER_SEED = 4_000;
    private static final String[] SELECTIONS = {
        "a", "b", "/a/b", "/a/a", "/b/a/b, a", "/a/b, /b/a", "b[0]", "/a[1]/b", "symbol, symbolName", "[/é], /a/symbol"
    };

    private final Edits edits = new Edits();

    @Test
    void shouldMergeWhatTheModelDoes() {
        forAllPairs((first, second, random, name) -> assertThat(EditModel.tree(edits.merge(first, second)))
                .as(name)
                .isEqualTo(EditModel.merge(EditModel.tree(first), EditModel.tree(second))));
    }

    @Test
    void shouldGiveTheMessageWhenDifferencesAreMergedIntoTheOneBefore() {
        forAllPairs((old, now, random, name) -> {
            final String diff = edits.diff(old, now, random.nextBoolean() ? "" : pick(random));
            final String merged = diff.isEmpty() ? old : edits.merge(old, diff);
            assertThat(EditModel.tree(merged))
                    .as(() -> name.get() + ", diff " + diff)
                    .isEqualTo(EditModel.withNulls(EditModel.tree(old), EditModel.tree(now)));
        });
    }

    @Test
    void shouldWriteTheDifferencesThatTheModelFinds() {
        forAllPairs((old, now, random, name) -> {
            final String kept = random.nextBoolean() ? "" : pick(random);
            final @Nullable String selected = random.nextInt(3) > 0 ? null : pick(random);
            final boolean noEmpties = random.nextBoolean();
            final String diff = edits.diff(old, now, kept, selected, noEmpties);
            final EditModel model = new EditModel(
                    Edits.selection(kept), selected == null ? null : Edits.selection(selected), noEmpties);
            assertThat(diff.isEmpty() ? EditModel.NOTHING : EditModel.tree(diff))
                    .as(() -> name.get() + ", kept " + kept + ", selected " + selected + ", noEmpties " + noEmpties)
                    .isEqualTo(model.diff(EditModel.tree(old), EditModel.tree(now)));
        });
    }

    @Test
    void shouldSelectWhatTheModelDoes() {
        forAllPairs((message, other, random, name) -> {
            final String selected = pick(random);
            final boolean noEmpties = random.nextBoolean();
            final EditModel model = new EditModel(FieldSelection.NONE, Edits.selection(selected), noEmpties);
            assertThat(EditModel.tree(edits.select(message, selected, noEmpties)))
                    .as(() -> name.get() + ", selected " + selected + ", noEmpties " + noEmpties)
                    .isEqualTo(model.select(EditModel.tree(message)));
        });
    }

    private static String pick(final SplittableRandom random) {
        return SELECTIONS[random.nextInt(SELECTIONS.length)];
    }

    private interface PairTest {
        void run(String first, String second, SplittableRandom random, Supplier<String> name);
    }

    private static void forAllPairs(final PairTest test) {
        for (int seed = 0; seed < SEEDS; seed++) {
            final JsonSamples samples = new JsonSamples(seed);
            final SplittableRandom random = new SplittableRandom(seed);
            String first = valid(samples);
            for (int number = 0; number < PAIRS_PER_SEED; number++) {
                final String one = first;
                final String other = valid(samples);
                final String place = "seed " + seed + ", pair " + number + ": ";
                test.run(one, other, random, () -> place + one + " and " + other);
                first = other;
            }
        }
    }

    private static String valid(final JsonSamples samples) {
        byte[] message = samples.next();
        while (!JacksonOracle.accepts(message)) {
            message = samples.next();
        }
        return new String(message, StandardCharsets.UTF_8);
    }
}
