package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.penstock.spring.state.MirrorState;
import io.penstock.spring.state.PenstockStateMap;
import io.penstock.spring.state.StateMirrors;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Meters of mirrors, {@code penstock.mirror.*}, of all together. */
final class MirrorMeters implements MeterBinder {
    private final Supplier<@Nullable StateMirrors> mirrors;

    MirrorMeters(final Supplier<@Nullable StateMirrors> mirrors) {
        this.mirrors = mirrors;
    }

    @Override
    public void bindTo(final MeterRegistry meters) {
        Gauge.builder("penstock.mirror.live", this, MirrorMeters::liveCount)
                .description("Mirrors that have all records and follow their changes")
                .register(meters);
        FunctionCounter.builder("penstock.mirror.records.failed", this, MirrorMeters::failureCount)
                .description("Records that mirrors could not use, and that are missing")
                .register(meters);
    }

    private long liveCount() {
        return maps().stream().filter(each -> each.state() == MirrorState.LIVE).count();
    }

    private long failureCount() {
        return maps().stream().mapToLong(PenstockStateMap::failureCount).sum();
    }

    private Collection<PenstockStateMap<?, ?>> maps() {
        final StateMirrors known = mirrors.get();
        return known == null ? List.of() : known.maps().values();
    }
}
