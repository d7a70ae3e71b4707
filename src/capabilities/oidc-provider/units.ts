import { errors } from 'oidc-provider';
import { type Store, StoreUnavailable } from '../../core/storage/store.ts';
import type { OpeningParts } from '../capability.ts';

export type ProtocolUnits = Pick<Store, 'read' | 'write'>;

/**
 * The library asks for one thing after another, so its requests have no one transaction. What the store cannot answer is never told as a
 * missing grant.
 */
export function protocolUnits({ store, onFault }: Pick<OpeningParts, 'store' | 'onFault'>): ProtocolUnits {
  const fail = (fault: unknown): never => {
    if (!(fault instanceof StoreUnavailable)) throw fault;
    onFault(fault);
    const unavailable = new errors.TemporarilyUnavailable('the store cannot answer', { cause: fault });
    throw Object.assign(unavailable, { status: 503, statusCode: 503, expose: true });
  };
  return {
    read: (work) => store.read(work).catch(fail),
    write: (work) => store.write(work).catch(fail),
  };
}
