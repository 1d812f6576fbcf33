/** Tests of the file system's storage. */
package io.penstock.broker.storage;
