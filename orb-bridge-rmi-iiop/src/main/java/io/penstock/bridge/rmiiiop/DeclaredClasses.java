package io.penstock.bridge.rmiiiop;

import com.sun.corba.ee.impl.util.RepositoryId;
import com.sun.corba.ee.spi.orb.ClassCodeBaseHandler;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import org.jspecify.annotations.Nullable;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.NO_PERMISSION;

/**
 * Refuses every class that a client names. The ORB asks only about values that are not of exactly the class that the contract
 * has at that place; the contract's classes are final, so its clients never send any. Called by the ORB's threads.
 */
final class DeclaredClasses implements ClassCodeBaseHandler {
    private static final int NAME_SHOWN_MAX = 100;

    private final BridgeCounters counters;

    DeclaredClasses(final BridgeCounters counters) {
        this.counters = counters;
    }

    /** Nothing is loaded from elsewhere, at clients neither. */
    @Override
    public @Nullable String getCodeBase(final Class<?> type) {
        return null;
    }

    @Override
    public Class<?> loadClass(final @Nullable String codebase, final String name) {
        counters.add(BridgeCounter.ARGUMENTS_REFUSED, 1);
        forgetIds();
        final String shown = name.length() <= NAME_SHOWN_MAX ? name : name.substring(0, NAME_SHOWN_MAX) + "…";
        throw new NO_PERMISSION("value: not of the contract's class: " + shown, 0, CompletionStatus.COMPLETED_NO);
    }

    /** The ORB keeps each repository id that a client sends, however long. It makes those of the contract anew. */
    static void forgetIds() {
        RepositoryId.cache.clear();
    }
}
