package io.penstock.transport.rdma;

import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;

/** Scheme {@code rdma}: endpoints {@code rdma://host:port}. */
public final class RdmaTransportProvider implements TransportProvider {
    private static final System.Logger LOGGER = System.getLogger(RdmaTransportProvider.class.getName());

    private final Supplier<RdmaConfig> configs;
    private final Supplier<? extends Iterable<VerbsProvider>> providers;

    /** Found by the service loader; its transports take their settings from system properties. */
    public RdmaTransportProvider() {
        this(() -> RdmaConfig.of(System.getProperties()), () -> ServiceLoader.load(VerbsProvider.class));
    }

    RdmaTransportProvider(
            final Supplier<RdmaConfig> configs, final Supplier<? extends Iterable<VerbsProvider>> providers) {
        this.configs = configs;
        this.providers = providers;
    }

    @Override
    public String scheme() {
        return RdmaEndpoint.SCHEME;
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        final RdmaConfig config = configs.get();
        final Verbs verbs = openVerbs(config.verbs());
        LOGGER.log(System.Logger.Level.INFO, "rdma: verbs by provider {0}", verbs.name());
        return new RdmaTransport(context, verbs, config, SystemNanoClock.INSTANCE);
    }

    private Verbs openVerbs(final String name) throws IOException {
        final TreeMap<String, VerbsProvider> byName = new TreeMap<>();
        for (final VerbsProvider provider : providers.get()) {
            byName.put(provider.name(), provider);
        }
        if (!name.equals(RdmaConfig.AUTO)) {
            final VerbsProvider provider = byName.get(name);
            if (provider == null) {
                throw new IOException("penstock.rdma.verbs: no such provider: " + name + " (use auto or one of "
                        + byName.keySet() + ")");
            }
            return provider.open();
        }
        return first(byName);
    }

    /** Our own one before all others. */
    private static Verbs first(final Map<String, VerbsProvider> byName) throws IOException {
        final List<VerbsProvider> inOrder = new ArrayList<>(byName.values());
        inOrder.sort((one, other) ->
                Boolean.compare(other.name().equals("shim"), one.name().equals("shim")));
        final List<String> reasons = new ArrayList<>();
        for (final VerbsProvider provider : inOrder) {
            try {
                return provider.open();
            } catch (final IOException ex) {
                reasons.add(provider.name() + ": " + ex.getMessage());
            }
        }
        throw new IOException("rdma: no provider of verbs works here: " + String.join("; ", reasons));
    }
}
