package io.penstock.bench;

import io.penstock.bench.orb.OrbCallersCommand;
import io.penstock.bench.orb.OrbServerCommand;
import io.penstock.bench.put.PutProducersCommand;
import io.penstock.standalone.CommandProvider;
import java.util.List;

/** {@code penstock bench}, and the hidden commands of the processes that it starts. */
public final class BenchCommands implements CommandProvider {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                BenchCommand.class,
                CrowdCommand.class,
                PutProducersCommand.class,
                OrbServerCommand.class,
                OrbCallersCommand.class);
    }
}
