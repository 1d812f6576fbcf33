package io.penstock.bridge.rmiiiop;

import io.penstock.bridge.config.BridgeConfig;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves RMI-IIOP clients beside a broker, in a process of its own, until it is ended. */
public final class Main {
    private static final int PORT_DEFAULT = 3528;
    private static final Pattern COMMA = Pattern.compile(",");
    private static final String BROKER_DEFAULT = "tcp://127.0.0.1:9100";

    private static final Map<String, BiFunction<Settings, String, Settings>> KEYS = Map.of(
            "broker", Settings::broker,
            "port", (settings, value) -> settings.config(settings.config().port(number("port", value))),
            "address", (settings, value) -> settings.config(settings.config().address(value)),
            "callCountMax", (settings, value) -> settings.calls(number("callCountMax", value), null, null),
            "waitCountMax", (settings, value) -> settings.calls(null, number("waitCountMax", value), null),
            "callsLengthMax", (settings, value) -> settings.calls(null, null, length("callsLengthMax", value)),
            "callbackHosts",
                    (settings, value) ->
                            settings.config(settings.config().callbackHosts(List.of(COMMA.split(value, -1)))),
            "allowInsecureListen",
                    (settings, value) -> settings.config(settings.config().allowInsecureListen(value.equals("true"))));

    private Main() {}

    /**
     * Serves.
     *
     * @param args {@code key=value}: {@code broker}, {@code port}, {@code address}, {@code callCountMax}, {@code waitCountMax},
     *             {@code callsLengthMax}, {@code callbackHosts}, {@code allowInsecureListen}.
     */
    public static void main(final String[] args) throws InterruptedException {
        try {
            final Settings settings = settings(args);
            final RmiIiopServer server =
                    RmiIiopServer.launch(settings.config(), BridgeConfig.defaults(), settings.broker());
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "penstock-rmi-iiop-stop"));
            System.out.println("RMI-IIOP clients on " + settings.config().address() + ":" + server.port() + ", for "
                    + settings.broker());
            System.out.println(server.reference());
        } catch (final IllegalArgumentException | IOException e) {
            System.err.println("penstock-rmi-iiop: " + e.getMessage());
            System.exit(1);
        }
        new CountDownLatch(1).await();
    }

    private static Settings settings(final String[] args) {
        Settings settings = new Settings(BROKER_DEFAULT, RmiIiopConfig.onPort(PORT_DEFAULT));
        for (final String each : args) {
            final int equals = each.indexOf('=');
            final BiFunction<Settings, String, Settings> key = KEYS.get(equals < 0 ? each : each.substring(0, equals));
            if (key == null || equals < 0) {
                throw new IllegalArgumentException(each
                        + ": not a setting (use broker=URI, port=N, address=IP, callCountMax=N, waitCountMax=N, callsLengthMax=BYTES,"
                        + " callbackHosts=HOST,…, allowInsecureListen=true)");
            }
            settings = key.apply(settings, each.substring(equals + 1));
        }
        return settings;
    }

    private static int number(final String key, final String value) {
        try {
            return Integer.parseInt(value);
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(key + ": not a number: " + value + " (use for example 3528)", e);
        }
    }

    private static long length(final String key, final String value) {
        try {
            return Long.parseLong(value);
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(
                    key + ": not a number of bytes: " + value + " (use for example 268435456)", e);
        }
    }

    private record Settings(String broker, RmiIiopConfig config) {
        Settings broker(final String value) {
            return new Settings(value, config);
        }

        Settings config(final RmiIiopConfig value) {
            return new Settings(broker, value);
        }

        /** Those that are given; null = as it is. */
        Settings calls(
                final @Nullable Integer callCountMax,
                final @Nullable Integer waitCountMax,
                final @Nullable Long callsLengthMax) {
            return config(config.calls(
                    callCountMax == null ? config.callCountMax() : callCountMax,
                    waitCountMax == null ? config.waitCountMax() : waitCountMax,
                    callsLengthMax == null ? config.callsLengthMax() : callsLengthMax));
        }
    }
}
