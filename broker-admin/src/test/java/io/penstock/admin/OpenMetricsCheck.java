package io.penstock.admin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads text of OpenMetrics 1.0, and refuses what is not well formed. */
final class OpenMetricsCheck {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)"
            + "(\\{[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\"\\\\n])*\""
            + "(?:,[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\"\\\\n])*\")*\\})? ([^ ]+)");
    private static final Set<String> TYPES =
            Set.of("counter", "gauge", "info", "unknown", "histogram", "summary", "stateset", "gaugehistogram");

    private static final Pattern BOUND = Pattern.compile("\\{(.*?),?le=\"([^\"]+)\"\\}");

    private @Nullable String bucket;
    private double lastBound;
    private double lastCount;
    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final Map<String, String> types = new HashMap<>();

    static OpenMetricsCheck parse(final String text) {
        final OpenMetricsCheck check = new OpenMetricsCheck();
        if (!text.endsWith("# EOF\n")) {
            throw new IllegalArgumentException("does not end with # EOF");
        }
        final Set<String> seen = new HashSet<>();
        String family = "";
        final String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length - 2; i++) {
            final String line = lines[i];
            final String[] words = line.split(" ", 4);
            if (line.startsWith("# TYPE ")) {
                require(check.bucket == null, line);
                family = words[2];
                require(seen.add(family) && NAME.matcher(family).matches() && TYPES.contains(words[3]), line);
                check.types.put(family, words[3]);
            } else if (line.startsWith("# UNIT ")) {
                require(words[2].equals(family) && family.endsWith("_" + words[3]), line);
            } else if (line.startsWith("# HELP ")) {
                require(words[2].equals(family) && !words[3].isEmpty(), line);
            } else {
                check.sample(line, family);
            }
        }
        require(check.bucket == null, family);
        return check;
    }

    private void sample(final String line, final String family) {
        final Matcher sample = SAMPLE.matcher(line);
        require(sample.matches() && !family.isEmpty(), line);
        if ("histogram".equals(types.get(family))) {
            histogram(sample, family, line);
            return;
        }
        final String suffix = switch (String.valueOf(types.get(family))) {
            case "counter" -> "_total";
            case "info" -> "_info";
            default -> "";
        };
        require(sample.group(1).equals(family + suffix), line);
        final double value = Double.parseDouble(sample.group(3).replace("Inf", "Infinity"));
        require(!suffix.equals("_total") || value >= 0, line);
        final String labels = sample.group(2) == null ? "" : sample.group(2);
        require(samples.put(sample.group(1) + labels, value) == null, line);
    }

    /** Buckets rise in bounds and counts up to the count of all, which follows, and then the sum. */
    private void histogram(final Matcher sample, final String family, final String line) {
        final String name = sample.group(1);
        final String labels = sample.group(2) == null ? "" : sample.group(2);
        final double value = Double.parseDouble(sample.group(3));
        if (name.equals(family + "_bucket")) {
            final Matcher bound = BOUND.matcher(labels);
            require(bound.matches(), line);
            final String others = bound.group(1);
            final double le = Double.parseDouble(bound.group(2).replace("Inf", "Infinity"));
            final boolean isFirst = bucket == null;
            require(isFirst || (others.equals(bucket) && le > lastBound && value >= lastCount), line);
            bucket = others;
            lastBound = le;
            lastCount = value;
        } else if (name.equals(family + "_count")) {
            require(Double.isInfinite(lastBound) && value == lastCount && isOfBucket(labels), line);
        } else {
            require(name.equals(family + "_sum") && value >= 0 && isOfBucket(labels), line);
            bucket = null;
        }
        require(samples.put(name + labels, value) == null, line);
    }

    private boolean isOfBucket(final String labels) {
        return labels.replace("{", "").replace("}", "").equals(String.valueOf(bucket));
    }

    private static void require(final boolean isWellFormed, final String line) {
        if (!isWellFormed) {
            throw new IllegalArgumentException("not well formed: " + line);
        }
    }

    double value(final String sample) {
        final Double value = samples.get(sample);
        if (value == null) {
            throw new AssertionError("no sample " + sample + " in " + samples.keySet());
        }
        return value;
    }

    Map<String, Double> samples() {
        return samples;
    }

    Set<String> families() {
        return types.keySet();
    }
}
