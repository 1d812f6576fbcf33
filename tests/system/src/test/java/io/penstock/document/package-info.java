/** The native protocol as its document lays it down, spoken without any of the project's codecs. */
package io.penstock.document;
