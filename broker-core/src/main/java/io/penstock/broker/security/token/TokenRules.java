package io.penstock.broker.security.token;

/**
 * Which tokens count.
 *
 * @param issuer     that has to be named.
 * @param audience   that has to be among those named.
 * @param skewMs     by which the clocks of issuer and broker may differ.
 * @param userClaim  whose value is the user.
 * @param rolesClaim whose value is the user's roles: a list, or a text with spaces between them.
 */
public record TokenRules(String issuer, String audience, long skewMs, String userClaim, String rolesClaim) {}
