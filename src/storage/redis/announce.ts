import type { Connection } from './connection.ts';

/** Has a server that is taking a slot over answer the next command on the connection, though it has not the slot yet. */
export function announce(connection: Connection): void {
  // What goes wrong shows in the answer to that command.
  void connection.send(['ASKING']).catch(() => undefined);
}
