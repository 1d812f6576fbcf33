package io.penstock.spring.template;

import io.penstock.client.PenstockException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs a send when the transaction of the calling thread has committed. Loaded where spring-tx is on the class path. */
final class AfterCommit {
    private AfterCommit() {}

    static boolean isTransactionActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Sends within one transaction keep their order, as synchronizations of the same order run in the order of their registration. */
    static <T> CompletableFuture<T> run(final String topic, final Supplier<CompletableFuture<T>> send) {
        final CompletableFuture<T> result = new CompletableFuture<>();
        TransactionSynchronizationManager.registerSynchronization(new Synchronization<>(topic, send, result));
        return result;
    }

    private record Synchronization<T>(String topic, Supplier<CompletableFuture<T>> send, CompletableFuture<T> result)
            implements TransactionSynchronization {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes go to the result.
        public void afterCompletion(final int status) {
            if (status != STATUS_COMMITTED) {
                result.completeExceptionally(new PenstockException(
                        "send to " + topic + ": the transaction was "
                                + (status == STATUS_ROLLED_BACK ? "rolled back" : "left in an unknown state")
                                + ", so nothing was sent (send again in a new transaction)",
                        null));
                return;
            }
            final CompletableFuture<T> sent = send.get();
            sent.whenComplete(this::complete);
        }

        private void complete(final @Nullable T value, final @Nullable Throwable reason) {
            if (reason != null) {
                result.completeExceptionally(reason);
            } else {
                result.complete(value);
            }
        }
    }
}
