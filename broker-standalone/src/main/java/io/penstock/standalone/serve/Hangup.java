package io.penstock.standalone.serve;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.LoggedEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * SIGHUP, which would end the JVM: a terminal sends it to all that was started there when it closes, and other programs
 * take it for a wish that they read their configuration again. A broker says that it does not, and goes on.
 */
final class Hangup {
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    private Hangup() {}

    /**
     * Ignores the signal from now on. Where there is no such signal, or the JVM is set to use none, nothing changes.
     */
    static void ignore() {
        try {
            // Not by its type, which a compiler warns of: there is no other way to handle signals.
            final Class<?> signal = Class.forName(SIGNAL);
            final Class<?> handler = Class.forName(HANDLER);
            final Object onSignal = Proxy.newProxyInstance(
                    Hangup.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            report();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), onSignal);
        } catch (final InvocationTargetException e) {
            if (!(e.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("SIGHUP: cannot be handled", e);
            }
        } catch (final ReflectiveOperationException e) {
            // A JVM without signals.
        }
    }

    private static void report() {
        LoggedEvents.INSTANCE.onEvent(Event.of(
                EventKind.SIGNAL,
                System.currentTimeMillis(),
                "signal",
                "HUP",
                "action",
                "none",
                "reason",
                "the configuration is read at the start alone (restart the broker to change it)"));
    }
}
