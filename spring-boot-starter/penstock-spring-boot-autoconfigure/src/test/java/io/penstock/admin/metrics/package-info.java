/** What tests of other modules need of the admin server's metrics. */
package io.penstock.admin.metrics;
