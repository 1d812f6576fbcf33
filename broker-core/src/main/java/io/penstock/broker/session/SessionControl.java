package io.penstock.broker.session;

/**
 * What sessions are looked through by, for others than their clients.
 *
 * @param permissions ends what a change of permissions no longer allows.
 * @param revocation  ends sessions of users that are no longer what was proved.
 * @param inspector   tells of sessions, and ends them for an administrator.
 */
record SessionControl(PermissionWatch permissions, Revocation revocation, SessionInspector inspector) {}
