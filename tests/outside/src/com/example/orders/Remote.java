package com.example.orders;

/** A client of a broker elsewhere. */
final class Remote {
    private Remote() {}

    public static void main(final String[] args) throws Exception {
        Orders.tryOut(args[0]);
    }
}
