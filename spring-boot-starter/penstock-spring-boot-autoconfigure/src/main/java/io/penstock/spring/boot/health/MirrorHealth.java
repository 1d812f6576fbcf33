package io.penstock.spring.boot.health;

import io.penstock.spring.state.MirrorState;
import io.penstock.spring.state.StateMirrors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of mirrors of state: whether each has been loaded and follows changes. Records that it could not use are counted in its
 * details, and make it no worse: it would stay so for ever.
 */
final class MirrorHealth {
    /** In groups and in the endpoint. */
    static final String NAME = "penstockMirrors";

    private final Supplier<@Nullable StateMirrors> mirrors;

    MirrorHealth(final Supplier<@Nullable StateMirrors> mirrors) {
        this.mirrors = mirrors;
    }

    HealthReport report() {
        final Map<String, Object> states = new LinkedHashMap<>();
        final StateMirrors known = mirrors.get();
        boolean isUp = true;
        if (known != null) {
            for (final var each : known.maps().entrySet()) {
                final MirrorState state = each.getValue().state();
                final long missing = each.getValue().failureCount();
                states.put(
                        each.getKey().toString(),
                        missing == 0 ? state.toString() : state + ", records that could not be used: " + missing);
                isUp &= state == MirrorState.LIVE;
            }
        }
        final HealthReport report = HealthReport.of(isUp);
        report.details().putAll(states);
        return report;
    }
}
