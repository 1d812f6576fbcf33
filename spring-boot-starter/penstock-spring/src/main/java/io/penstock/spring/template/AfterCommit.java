package io.penstock.spring.template;

import io.penstock.client.PenstockException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The sends of one transaction, run in their order when it has committed. Those after a savepoint that is rolled back to are
 * not run. Loaded where spring-tx is on the class path. Confined to the thread of the transaction.
 */
final class AfterCommit implements TransactionSynchronization {
    /** One send. */
    private record Send<T>(String topic, Supplier<CompletableFuture<T>> action, CompletableFuture<T> result) {
        @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes go to the result.
        void run() {
            action.get().whenComplete(this::complete);
        }

        private void complete(final @Nullable T value, final @Nullable Throwable reason) {
            if (reason != null) {
                result.completeExceptionally(reason);
            } else {
                result.complete(value);
            }
        }

        void fail(final String why) {
            result.completeExceptionally(new PenstockException(
                    "send to " + topic + ": the transaction was " + why
                            + ", so nothing was sent (send again in a new transaction)",
                    null));
        }
    }

    private final List<Send<?>> sends = new ArrayList<>();

    /** How many sends there were when each was made. */
    private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>();

    private AfterCommit() {}

    static boolean isTransactionActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    static <T> CompletableFuture<T> run(final String topic, final Supplier<CompletableFuture<T>> action) {
        final CompletableFuture<T> result = new CompletableFuture<>();
        ofTransaction().sends.add(new Send<>(topic, action, result));
        return result;
    }

    /** One for all templates, so that their sends keep their order. */
    private static AfterCommit ofTransaction() {
        for (final TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
            if (each instanceof AfterCommit known) {
                return known;
            }
        }
        final AfterCommit made = new AfterCommit();
        TransactionSynchronizationManager.registerSynchronization(made);
        return made;
    }

    @Override
    public void savepoint(final Object savepoint) {
        savepoints.put(savepoint, sends.size());
    }

    /** One that is not known was made before the first send. */
    @Override
    public void savepointRollback(final Object savepoint) {
        final List<Send<?>> undone = sends.subList(savepoints.getOrDefault(savepoint, 0), sends.size());
        final List<Send<?>> failed = List.copyOf(undone);
        undone.clear();
        failed.forEach(each -> each.fail("rolled back to a savepoint"));
    }

    @Override
    public void afterCompletion(final int status) {
        if (status == STATUS_COMMITTED) {
            sends.forEach(Send::run);
        } else {
            sends.forEach(each -> each.fail(status == STATUS_ROLLED_BACK ? "rolled back" : "left in an unknown state"));
        }
    }
}
