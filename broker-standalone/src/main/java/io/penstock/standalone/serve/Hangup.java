package io.penstock.standalone.serve;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.LoggedEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * SIGHUP, which would end the JVM: a terminal sends it to all that was started there when it closes. As many programs do, a
 * broker takes it for a wish that it reads its configuration again, and goes on.
 */
final class Hangup {
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    private Hangup() {}

    /**
     * Catches the signal from now on, on a thread of the JVM. Where there is no such signal, or the JVM is set to use none,
     * nothing changes.
     *
     * @param task run on each, as soon as there is one.
     * @return false when it does not come, since the process was started with the signal ignored, as {@code nohup} does.
     */
    static boolean handle(final AtomicReference<@Nullable Runnable> task) {
        try {
            // Not by its type, which a compiler warns of: there is no other way to handle signals.
            final Class<?> signal = Class.forName(SIGNAL);
            final Class<?> handler = Class.forName(HANDLER);
            final Object onSignal = Proxy.newProxyInstance(
                    Hangup.class.getClassLoader(),
                    new Class<?>[] {handler},
                    (proxy, method, arguments) -> answer(proxy, method.getName(), arguments, task));
            final Object before = signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), onSignal);
            // The JVM leaves a signal alone that it was started to ignore, and says so by this alone.
            if (Objects.equals(before, handler.getField("SIG_IGN").get(null))) {
                report("none: it was ignored when the process was started");
                return false;
            }
        } catch (final InvocationTargetException e) {
            if (!(e.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("SIGHUP: cannot be handled", e);
            }
        } catch (final ReflectiveOperationException e) {
            // A JVM without signals.
        }
        return true;
    }

    /** What a handler answers to each of its methods: to those of Object as an object without fields. */
    @SuppressWarnings("ReferenceEquality")
    private static @Nullable Object answer(
            final Object proxy,
            final String method,
            final Object @Nullable [] arguments,
            final AtomicReference<@Nullable Runnable> task) {
        switch (method) {
            case "handle" -> {
                onSignal(task.get());
                return null;
            }
            case "equals" -> {
                return proxy == Objects.requireNonNull(arguments)[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            case "toString" -> {
                return "SIGHUP";
            }
            default -> throw new UnsupportedOperationException(method);
        }
    }

    private static void onSignal(final @Nullable Runnable task) {
        report(task == null ? "none" : "reload");
        if (task != null) {
            task.run();
        }
    }

    private static void report(final String action) {
        LoggedEvents.INSTANCE.onEvent(
                Event.of(EventKind.SIGNAL, System.currentTimeMillis(), "signal", "HUP", "action", action));
    }
}
