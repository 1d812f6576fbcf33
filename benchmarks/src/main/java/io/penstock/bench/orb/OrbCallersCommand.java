package io.penstock.bench.orb;

import io.penstock.orb.PenstockBroker;
import io.penstock.orb.pool.PoolConfig;
import io.penstock.orb.pool.PooledSocketFactory;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.rmi.NotBoundException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The process that {@link OrbBenchCommand} starts to call a server, in as many threads as each line says: {@code run
 * OPERATION THREADS BYTES WARM-UP-MS FIRST-CALLS-MS MS}. It says {@code warm} when it is measured, and then {@code
 * done} with what {@link Load#run} returns.
 */
@Command(name = OrbCallersCommand.NAME, hidden = true, description = "Calls a server for bench orb.")
public final class OrbCallersCommand implements Callable<Integer> {
    static final String NAME = "bench-orb-callers";
    static final String WARM = "warm";
    static final String POOLED = "--pooled";
    static final String DONE = "done ";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PORT", description = "Of the server.")
    private int port;

    @Option(
            names = POOLED,
            paramLabel = "N",
            defaultValue = "-1",
            description = "Share so many connections; 0 = as many as a pool makes by default.")
    private int pooledCount;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (pooledCount >= 0) {
            RMISocketFactory.setSocketFactory(new PooledSocketFactory(pool()));
        }
        final PenstockBroker broker;
        try {
            broker = (PenstockBroker)
                    LocateRegistry.getRegistry("127.0.0.1", port).lookup(PenstockBroker.NAME);
        } catch (final NotBoundException e) {
            throw CommandFailure.failed("bench orb: no broker in the registry: " + e.getMessage());
        }
        final PrintWriter out = spec.commandLine().getOut();
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            final String[] words = line.split(" ", -1);
            final Load load = new Load(
                    broker, words[1].equals(Cell.PUBLISH), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            out.println(DONE
                    + load.run(Long.parseLong(words[4]), Long.parseLong(words[5]), Long.parseLong(words[6]), () -> {
                        out.println(WARM);
                        out.flush();
                    }));
            out.flush();
        }
        System.exit(Main.EXIT_OK);
        return Main.EXIT_OK;
    }

    private PoolConfig pool() {
        final PoolConfig defaults = PoolConfig.defaults();
        return pooledCount == 0
                ? defaults
                : defaults.connectionCountMax(pooledCount).callersPerConnection(1);
    }
}
