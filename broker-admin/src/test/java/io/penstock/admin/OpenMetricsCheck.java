package io.penstock.admin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads text of OpenMetrics 1.0, and refuses what is not well formed. */
final class OpenMetricsCheck {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)"
            + "(\\{[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\"\\\\n])*\""
            + "(?:,[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\"\\\\n])*\")*\\})? ([^ ]+)");
    private static final Set<String> TYPES =
            Set.of("counter", "gauge", "info", "unknown", "histogram", "summary", "stateset", "gaugehistogram");

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
        return check;
    }

    private void sample(final String line, final String family) {
        final Matcher sample = SAMPLE.matcher(line);
        require(sample.matches() && !family.isEmpty(), line);
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
