import type { EventEmitter } from 'node:events';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { MountedAnswer, MountedRequest } from '../../core/http/mounted.ts';
import type { MountedFront, OpeningParts } from '../capability.ts';
import type { AdapterParts } from './adapter.ts';
import { ClientDocuments } from './client-documents.ts';
import { hasDocument } from './faults.ts';
import { mounted } from './mount.ts';
import { addPasswordGrant } from './password-grant.ts';
import { createProvider } from './provider.ts';
import { KeyRing } from './signing-keys.ts';
import { ProviderTickets } from './tickets.ts';
import { protocolUnits } from './units.ts';

/** What the bridge to the library works with, made from the parts of the service. */
export function protocolParts(parts: OpeningParts): AdapterParts {
  const { settings, clock, log } = parts;
  const units = protocolUnits(parts);
  const tickets = new ProviderTickets({ ...parts, units });
  const keys = new KeyRing({ settings, units, clock });
  return { units, tickets, keys, documents: new ClientDocuments(clock), log, issuer: settings.issuer, clock };
}

/** Discovery says that documents are read if there is an application with one: programs would lead people to a dead end otherwise. */
function tellOfDocuments(provider: Provider, { units }: AdapterParts): void {
  provider.use(async (ctx, next) => {
    await next();
    if ((ctx as unknown as KoaContextWithOIDC).oidc?.route !== 'discovery') return;
    const all = await units.read(({ applications }) => applications.list());
    if (all.some(({ name }) => hasDocument(name)))
      Object.assign(ctx.body as object, { client_id_metadata_document_supported: true });
  });
}

/** Answers the requests of the protocol, with the keys that are in force. */
export function answeringOver(parts: OpeningParts, front: MountedFront) {
  const { settings, onFault } = parts;
  const adapterParts = protocolParts(parts);
  const { issuer, tickets } = adapterParts;
  const answering = adapterParts.keys.with((keys) => {
    const provider = createProvider(adapterParts, keys);
    tellOfDocuments(provider, adapterParts);
    addPasswordGrant(provider, { ...front, adapter: adapterParts });
    provider.on('server_error', (_, fault) => onFault(fault));
    (provider as EventEmitter).on('error', onFault);
    return mounted(provider, new URL(issuer), settings);
  });

  return async (request: MountedRequest): Promise<MountedAnswer | undefined> => {
    const held = await tickets.ofBrowser(request.ticket);
    if (held !== undefined) tickets.use(held);
    const answerNow = await answering();
    return answerNow(request, held);
  };
}
