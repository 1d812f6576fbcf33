package io.penstock.transport.ipc;

import io.penstock.transport.Connection;
import java.io.IOException;
import java.net.URI;

/** The program in the process at the other end. */
final class IpcProgram {
    private IpcProgram() {}

    /** Says why it failed, or publishes numbered frames until it is killed. */
    public static void main(final String[] arguments) {
        final URI endpoint = URI.create(arguments[1]);
        try (IpcSide side = new IpcSide()) {
            if (arguments[0].equals("listen")) {
                side.transport.listen(endpoint);
                System.out.println("listening");
            } else {
                publish(side, side.transport.connect(endpoint));
            }
        } catch (final IOException ex) {
            System.out.println(ex.getMessage());
        }
    }

    private static void publish(final IpcSide side, final Connection connection) {
        int number = 0;
        while (!connection.isClosed()) {
            if (IpcSide.send(connection, number)) {
                number++;
            } else {
                side.transport.await(1_000_000);
            }
            side.transport.poll(10);
        }
    }
}
