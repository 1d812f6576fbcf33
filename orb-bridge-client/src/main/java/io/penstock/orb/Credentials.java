package io.penstock.orb;

import java.io.Serializable;

/** Who a client is, as a native client says it at its log-on. */
public final class Credentials implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final String user;
    private final String password;

    /**
     * Makes credentials; each may be empty.
     *
     * @param name        of the client, unique while it is there.
     * @param user        for the broker's authenticator.
     * @param password    for the broker's authenticator.
     */
    public Credentials(final String name, final String user, final String password) {
        this.name = name;
        this.user = user;
        this.password = password;
    }

    public String name() {
        return name;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** Does not show the password. */
    @Override
    public String toString() {
        return "Credentials[" + name + ", " + user + "]";
    }
}
