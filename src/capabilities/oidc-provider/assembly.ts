import { refuse } from '../../core/domain/refusal.ts';
import type { MountedAnswer, MountedPart } from '../../core/http/mounted.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import type { EventReceiver, MountedFront, OpenedCapability, OpeningParts } from '../capability.ts';
import type { LogoutNotices } from './logouts.ts';
import { AUTHORIZATION, DEVICE } from './settings.ts';

/** The requests of applications and their people, in the log and the metrics. */
const OPERATION = 'org/service/repository/oidc-provider';

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

/** Answers while the store cannot (RFC 6749 section 4.1.2.1): never as if something were not there. */
const UNAVAILABLE: MountedAnswer = {
  status: 503,
  headers: [JSON_TYPE, ['Retry-After', '1']],
  text: JSON.stringify({ error: 'temporarily_unavailable', error_description: 'the store cannot answer' }),
  refusal: refuse('store_unavailable', { retryAfter: 1 }),
};

const BROKEN: MountedAnswer = {
  status: 500,
  headers: [JSON_TYPE],
  text: JSON.stringify({ error: 'server_error' }),
  refusal: refuse('internal'),
};

/** Imports the protocol. The library writes on the terminal that it does not know this Node, which the tests run it with. */
async function importQuietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...said: unknown[]) => {
    if (!String(said[0]).includes('Unsupported runtime')) warn(...said);
  };
  try {
    return await load();
  } finally {
    console.warn = warn;
  }
}

/** Where the metadata of a server are, below the address of its issuer (OpenID Connect Discovery 1.0) or before its path (RFC 8414 section 3.1). */
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

const prefixIn = ({ settings }: OpeningParts): string => new URL(settings.issuer).pathname;

/** Loads the protocol, once there is an application, or somebody reads its metadata: a service without has none of its code. */
function lateProvider(parts: OpeningParts, front: MountedFront): MountedPart {
  const prefix = prefixIn(parts);
  let answering: Promise<MountedPart['handle']> | undefined;
  const load = async (target: string) => {
    if (answering === undefined && !METADATA.some((path) => target.replace(/\?.*/, '') === prefix + path)) {
      const applications = await parts.store.read((unit) => unit.applications.list());
      if (applications.length === 0) return undefined;
    }
    answering ??= importQuietly(() => import('./running.ts')).then(({ answeringOver }) =>
      answeringOver(parts, front),
    );
    return answering.catch((fault) => {
      answering = undefined;
      throw fault;
    });
  };
  return {
    id: OPERATION,
    prefix,
    aliases: new Map(METADATA.map((path) => [path + prefix, prefix + path])),
    async handle(request) {
      try {
        const answer = await load(request.target);
        return await answer?.(request);
      } catch (fault) {
        parts.onFault(fault);
        return fault instanceof StoreUnavailable ? UNAVAILABLE : BROKEN;
      }
    },
  };
}

/** Tells applications of tickets that ended, once there is an event with which some may have. */
function logoutReceiver(parts: OpeningParts): EventReceiver {
  let loading: Promise<LogoutNotices> | undefined;
  return {
    id: 'backchannel_logout',
    kinds: [
      'logout',
      'expiry',
      'ticket-revoked',
      'tickets-revoked',
      'user-disabled',
      'user-removed',
      'user-taken-over',
      'password-changed',
      'app-password-removed',
      'application-disconnected',
    ],
    async receive(event) {
      const applications = await parts.store.read((unit) => unit.applications.list());
      if (applications.length === 0) return undefined;
      loading ??= importQuietly(() => import('./logouts.ts')).then(
        ({ LogoutNotices }) => new LogoutNotices(parts),
      );
      return (await loading).tell(
        event,
        applications.map(({ name }) => name),
      );
    },
  };
}

/** Serves applications below the path of the issuer, if there is one. */
export async function openOidcProvider(parts: OpeningParts): Promise<OpenedCapability | undefined> {
  if (parts.settings.issuer === '') return undefined;
  const stepAddress = (step: string, isDevice: boolean) =>
    `${prefixIn(parts)}${isDevice ? DEVICE : AUTHORIZATION}/${encodeURIComponent(step)}`;
  const { verifyOwnTokens } = await import('./verifier.ts');
  return {
    mounted: (front) => lateProvider(parts, front),
    eventReceiver: logoutReceiver(parts),
    browserTools: { stepAddress, issuer: parts.settings.issuer },
    verifyToken: verifyOwnTokens(parts),
  };
}
