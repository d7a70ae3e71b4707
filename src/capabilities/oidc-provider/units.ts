import { errors } from 'oidc-provider';
import { type ReadUnit, type Store, StoreUnavailable, type WriteUnit } from '../../core/storage/store.ts';

/**
 * The units of the protocol. The library asks for one thing after another, so its requests have no one transaction. What the store
 * cannot answer is answered as such (RFC 6749 section 4.1.2.1), never as a grant that is not there.
 */
export class ProtocolUnits {
  readonly #store: Store;
  readonly #onFault: (fault: unknown) => void;

  constructor({ store, onFault }: { readonly store: Store; readonly onFault: (fault: unknown) => void }) {
    this.#store = store;
    this.#onFault = onFault;
  }

  read<T>(work: (unit: ReadUnit) => Promise<T>): Promise<T> {
    return this.#store.read(work).catch((fault) => this.#fail(fault));
  }

  write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    return this.#store.write(work).catch((fault) => this.#fail(fault));
  }

  #fail(fault: unknown): never {
    if (!(fault instanceof StoreUnavailable)) throw fault;
    this.#onFault(fault);
    const unavailable = new errors.TemporarilyUnavailable('the store cannot answer', { cause: fault });
    throw Object.assign(unavailable, { status: 503, statusCode: 503, expose: true });
  }
}
