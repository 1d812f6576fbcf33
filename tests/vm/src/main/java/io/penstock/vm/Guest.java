package io.penstock.vm;

/** What the guest looks like from inside. */
public final class Guest {
    /** Of its network, on which the device is. */
    public static final String ADDRESS = "10.9.0.1";

    /** The RDMA device. */
    public static final String DEVICE = "rxe0";

    /** The most bytes that a packet of the device carries. */
    public static final int MTU = 4096;

    private Guest() {}
}
