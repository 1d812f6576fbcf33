package io.penstock.standalone.message;

/**
 * What to print beside a message.
 *
 * @param isLong     time, topic and bookmark.
 * @param hasKinds   what it is.
 * @param hasKeys    its key.
 * @param hasHeaders its headers.
 */
record MessageColumns(boolean isLong, boolean hasKinds, boolean hasKeys, boolean hasHeaders) {}
