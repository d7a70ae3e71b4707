import type { Capability, OpenedBefore, OpenedCapability, OpeningParts } from '../capabilities/capability.ts';
import type { BrowserTools } from '../core/browser-context.ts';
import { VERIFIERS, type Verifier } from '../core/identity/verifiers/verifier.ts';
import type { OperationTools } from '../core/operation.ts';
import { toolsOf } from './operation-tools.ts';

/** The password check of a service whose users have no second factors. */
const NO_FACTORS = { asksSecondFactor: false };

/** The capabilities of a running service, and what they give to it together. */
export class OpenedCapabilities implements OpenedBefore {
  readonly #opened: OpenedCapability[] = [];
  #toolsOfAll: Partial<OperationTools> = {};

  /** Opens these in their order. Throws the error of the first that cannot be opened; those before it stay open. */
  async open(capabilities: readonly Capability[], parts: OpeningParts): Promise<void> {
    this.#toolsOfAll = toolsOf(capabilities, parts.settings);
    for (const { open } of capabilities) {
      const opened = await open?.(parts, this);
      if (opened !== undefined) this.#opened.push(opened);
    }
  }

  /** What the one capability gives that has it; undefined if none has. */
  one<K extends keyof OpenedCapability>(member: K): OpenedCapability[K] | undefined {
    return this.#opened.find((each) => each[member] !== undefined)?.[member];
  }

  /** What each capability gives that has it. */
  each<K extends keyof OpenedCapability>(member: K): readonly NonNullable<OpenedCapability[K]>[] {
    return this.#opened.map((each) => each[member]).filter((value) => value !== undefined && value !== null);
  }

  get factorsOfPrograms() {
    return this.one('factorsOfPrograms') ?? NO_FACTORS;
  }

  providerState = (id: string) =>
    this.each('providerState')
      .map((stateOf) => stateOf(id))
      .find((state) => state !== undefined) ?? 'off';

  get eventReceivers() {
    return this.each('eventReceiver');
  }

  /** These verifiers and those of the capabilities, in the order in which a login asks them. */
  verifiersWith(local: Verifier): readonly Verifier[] {
    const places: readonly string[] = VERIFIERS;
    return [local, ...this.each('verifier')].toSorted(
      (one, other) => places.indexOf(one.name) - places.indexOf(other.name),
    );
  }

  /** Each capability gives the members that it declares, so that none is missing. */
  get operationTools(): OperationTools {
    return Object.assign({}, this.#toolsOfAll, ...this.each('operationTools'));
  }

  /** Each capability gives the members that it declares, so that none is missing. */
  get browserTools(): BrowserTools {
    const consoleSections = this.each('consoleSections').flat();
    return Object.assign({ consoleSections }, ...this.each('browserTools'));
  }

  start(): void {
    for (const each of this.#opened) each.start?.();
  }

  reload(): void {
    for (const each of this.#opened) each.reload?.();
  }

  /** Stops them, the last one first. One that fails keeps no other one open; the first fault is thrown when all have stopped. */
  async stop(): Promise<void> {
    const faults: unknown[] = [];
    for (const each of this.#opened.splice(0).toReversed())
      try {
        await each.stop?.();
      } catch (fault) {
        faults.push(fault);
      }
    if (faults.length > 0) throw faults[0];
  }
}
