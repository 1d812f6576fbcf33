package io.penstock.spring.listener;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentTypeMismatchException;
import org.springframework.messaging.handler.invocation.MethodArgumentResolutionException;
import org.springframework.util.InvalidMimeTypeException;

/** Exceptions that come again however often a listener is called: a payload that cannot be converted or is not valid. */
public final class FatalExceptions {
    private final Set<Class<? extends Throwable>> types = new CopyOnWriteArraySet<>();

    /** Makes one with those that the conversion of arguments throws. */
    public FatalExceptions() {
        types.addAll(Set.of(
                MessageConversionException.class,
                MethodArgumentNotValidException.class,
                MethodArgumentTypeMismatchException.class,
                MethodArgumentResolutionException.class,
                // Of a header content-type.
                InvalidMimeTypeException.class,
                ClassCastException.class));
    }

    /**
     * Adds an exception with its subclasses.
     *
     * @param type of the exception.
     */
    public void add(final Class<? extends Throwable> type) {
        types.add(type);
    }

    /**
     * Whether it, or one of its causes, comes again.
     *
     * @param thrown by a listener.
     * @return true for those that were added.
     */
    public boolean isFatal(final Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            final Throwable cause = each;
            if (types.stream().anyMatch(type -> type.isInstance(cause))) {
                return true;
            }
        }
        return false;
    }
}
