import { Line } from './line.ts';
import type { Address, Target } from './target.ts';
import { type CountReplicas, Writes } from './writes.ts';

/** One server of the ticket store, with a connection for reads and one for writes that are acknowledged. */
export class Node {
  readonly address: Address;
  readonly line: Line;
  readonly writes: Writes;

  constructor(address: Address, target: Target, countReplicas: CountReplicas) {
    this.address = address;
    this.line = new Line(address, target, target.commandDeadline);
    this.writes = new Writes(address, target, countReplicas);
  }

  close(): void {
    this.line.close();
    this.writes.close();
  }
}
