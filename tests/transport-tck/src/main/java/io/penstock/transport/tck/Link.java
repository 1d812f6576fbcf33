package io.penstock.transport.tck;

import io.penstock.transport.Connection;

/** Both ends of a connection and the flows between them. */
record Link(Connection client, Connection server, Flow toServer, Flow toClient) {}
