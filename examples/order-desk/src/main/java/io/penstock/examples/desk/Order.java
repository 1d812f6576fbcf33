package io.penstock.examples.desk;

/**
 * What somebody wants.
 *
 * @param id       unique.
 * @param symbol   of what.
 * @param quantity how much; less than 0 to sell.
 */
record Order(String id, String symbol, int quantity) {}
