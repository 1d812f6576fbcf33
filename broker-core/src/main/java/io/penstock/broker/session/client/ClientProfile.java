package io.penstock.broker.session.client;

import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Validity;
import io.penstock.broker.security.IdentityUse;
import io.penstock.broker.security.Origin;
import io.penstock.broker.security.Principal;
import org.jspecify.annotations.Nullable;

/** The identity of a client, as it has logged on. Confined to the I/O agent of its session. */
public final class ClientProfile {
    /** Clients that have not logged on publish nothing, and ask for nothing. */
    private static final IdentityUse UNKNOWN = IdentityUse.ofNobody();

    private int protocolVersion = 1;
    private Principal principal = Principal.ANONYMOUS;
    private String claimedUser = "";
    private String claimedName = "";
    private String user = "";
    private String name = "";
    private boolean isLoggedOn;
    private @Nullable PendingLogon logon;
    private Validity validity = Validity.ALWAYS;
    private long validUntilNs = Long.MAX_VALUE;
    private Origin origin = Origin.NONE;
    private IdentityUse use = UNKNOWN;

    /** It wants to log on, and has proved nothing so far. */
    public void onClaimed(final String asUser, final String asName) {
        claimedUser = asUser;
        claimedName = asName;
    }

    /** It was let in. */
    public void onAdmitted(final int version, final Principal admitted) {
        protocolVersion = version;
        principal = admitted;
        user = admitted.name();
    }

    /** It counts from now on as one of those of its identity. */
    public void onAttached(final IdentityUse value) {
        use = value;
    }

    /** What all sessions of its identity use; of nobody before its logon. */
    public IdentityUse use() {
        return use;
    }

    /** Whether it counts as one of those of its identity. */
    public boolean isAttached() {
        return use != UNKNOWN;
    }

    /** It proves who it is; null from when it has, or has failed to. */
    public @Nullable PendingLogon logon() {
        return logon;
    }

    /** The same, from now on. */
    public void logon(final @Nullable PendingLogon value) {
        logon = value;
    }

    /** Whether a message by which it proves who it is is being checked. */
    public boolean isChecked() {
        final PendingLogon pending = logon;
        return pending != null && pending.isChecked();
    }

    /** How long what it has proved holds. */
    public void onProved(final Admitted proof, final long nowNs) {
        validity = proof.validity();
        origin = proof.origin();
        // Far enough apart for the difference of two times of the clock.
        validUntilNs = proof.validForNs() > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : nowNs + proof.validForNs();
    }

    /** Where its owner is, when it acts for somebody of the same process. */
    public Origin origin() {
        return origin;
    }

    /** Whether what it has proved still holds, users having changed. */
    public boolean isValid() {
        return validity.isValid();
    }

    /** When what it has proved itself with expires; {@link Long#MAX_VALUE} for never. */
    public long validUntilNs() {
        return validUntilNs;
    }

    /** Whether what it has proved holds no longer by its own terms. */
    public boolean isExpired(final long nowNs) {
        return validUntilNs != Long.MAX_VALUE && nowNs - validUntilNs >= 0;
    }

    /** It has got a name. */
    public void onNamed(final String value) {
        name = value;
    }

    /** It has logged on, and counts as a session. */
    public void onLoggedOn() {
        isLoggedOn = true;
    }

    /** The version of the protocol that it speaks; 1 before its logon. */
    public int protocolVersion() {
        return protocolVersion;
    }

    /** The user that it says it is; for reports alone. */
    public String claimedUser() {
        return claimedUser;
    }

    /** The name that it wants; for reports alone. */
    public String claimedName() {
        return claimedName;
    }

    /** Who it was proved to be. */
    public Principal principal() {
        return principal;
    }

    /** The user that it is; empty before its logon. */
    public String user() {
        return user;
    }

    /** Its own name; empty when it has none. */
    public String name() {
        return name;
    }

    /** Whether its logon was acknowledged, be it over or not. */
    public boolean isLoggedOn() {
        return isLoggedOn;
    }

    /** The name that it publishes under: publishers of one name but different users are different. */
    public String publisherName() {
        return publisherName(user, name);
    }

    /** The same, of any client. */
    public static String publisherName(final String user, final String name) {
        return user.length() + ":" + user + name;
    }
}
