package io.penstock.examples.desk;

/**
 * An order that was carried out. The topic's key is the id.
 *
 * @param id       of the order.
 * @param symbol   of what.
 * @param quantity how much.
 */
record Fill(String id, String symbol, int quantity) {}
