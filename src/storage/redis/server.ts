import type { Host } from '../host.ts';
import { ReconnectingConnection } from './line.ts';
import type { OwnedTarget } from './target.ts';
import { type CountReplicas, Writes } from './writes.ts';

/** One server of the ticket store, with a connection for reads and one for writes that are acknowledged. */
export class RedisServer {
  readonly host: Host;
  readonly line: ReconnectingConnection;
  readonly writes: Writes;

  constructor(host: Host, target: OwnedTarget, countReplicas: CountReplicas) {
    this.host = host;
    this.line = new ReconnectingConnection(host, target, target.commandDeadline);
    this.writes = new Writes(host, target, countReplicas);
  }

  close(): void {
    this.line.close();
    this.writes.close();
  }
}
