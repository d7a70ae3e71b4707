import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Call } from '../gate/call.ts';
import type { Execute } from '../gate/execute.ts';
import type { AnyOperation } from '../operation.ts';
import type { Format } from '../representations/representation.ts';
import { Bodies } from './bodies.ts';
import { readJson } from './body.ts';
import type { ClientAddresses } from './client-address.ts';
import { presentedIn } from './credentials.ts';
import { isCrossSite } from './cross-site.ts';
import { chooseFormat } from './format.ts';
import { allowedMethods, methodOf, operationFor } from './method.ts';
import { sendAnswer, sendRefusal } from './reply.ts';
import type { FindRoute, Match } from './routes.ts';
import { parseTarget, type Target } from './target.ts';

/** What a request line and the metrics tell of a request. */
export interface Told {
  operation?: AnyOperation;
  refusal?: Refusal;
  user?: string;
  digest?: string;
  address?: string;
  /** Whether a password stood in the URL. */
  passwordInUrl?: boolean;
}

/** What requests are handled with. */
export interface HandlerParts {
  readonly find: FindRoute;
  readonly ways: ReadonlyMap<AnyOperation, Execute>;
  readonly addresses: ClientAddresses;
  readonly allowedOrigins: readonly string[];
  readonly clock: () => number;
}

/** The longest URL that is read, in characters. */
const LONGEST_URL = 12_288;

/** Arguments that mean something here, and so may not be given twice with different values. */
function singleArguments(
  { input }: AnyOperation,
  { query }: Target,
): Record<string, string> | Refusal<'argument_repeated'> {
  const single: Record<string, string> = {};
  for (const name of [...Object.keys(input.query?.properties ?? {}), 'format']) {
    const values = query.get(name);
    if (values === undefined) continue;
    if (values.length > 1) return refuse('argument_repeated', { detail: name });
    single[name] = values[0] as string;
  }
  return single;
}

/** Handles requests: from the bytes of a request to the gate, and from its outcome to the bytes of an answer. */
export class Handler {
  readonly #parts: HandlerParts;
  readonly #bodies = new Bodies();

  constructor(parts: HandlerParts) {
    this.#parts = parts;
  }

  handle(request: FastifyRequest, reply: FastifyReply, told: Told): FastifyReply | Promise<FastifyReply> {
    const url = request.originalUrl;
    const refuseWith = (refusal: Refusal, format?: Format) => {
      told.refusal = refusal;
      return sendRefusal(reply, refusal, format, this.#parts.clock());
    };
    if (url.length > LONGEST_URL) return refuseWith(refuse('url_too_long'));
    const target = parseTarget(url);
    if (isRefusal(target)) return refuseWith(target);
    const match = this.#parts.find(target.segments);
    if (match === undefined) return refuseWith(refuse('path_unknown'));
    const method = methodOf(request.raw, target.query.get('alf_method')?.[0]);
    if (method === 'OPTIONS') return this.#options(reply, match);
    const operation = operationFor(match.operations, method);
    if (operation === undefined) {
      reply.header('allow', allowedMethods(match.operations));
      return refuseWith(refuse('method_wrong', { detail: `it takes ${allowedMethods(match.operations)}` }));
    }
    told.operation = operation;
    const query = singleArguments(operation, target);
    if (isRefusal(query)) return refuseWith(query, operation.defaultFormat);
    const format = chooseFormat(operation, match.extension, query.format);
    if (isRefusal(format)) return refuseWith(format, operation.defaultFormat);
    const call = this.#call(request, match, target, query);
    told.address = call.address;
    told.passwordInUrl = operation.takesPassword === 'url' && query.pw !== undefined;
    return this.#execute(operation, call, format, reply, told, refuseWith);
  }

  async #execute(
    operation: AnyOperation,
    call: Call,
    format: Format,
    reply: FastifyReply,
    told: Told,
    refuseWith: (refusal: Refusal, format: Format) => FastifyReply,
  ): Promise<FastifyReply> {
    const execute = this.#parts.ways.get(operation) as Execute;
    const { result, user, digest } = await execute(call);
    if (user !== undefined) told.user = user;
    if (digest !== undefined) told.digest = digest;
    if (isRefusal(result)) return refuseWith(result, format);
    return sendAnswer(reply, this.#bodies.of(operation, result, format), operation, result);
  }

  #call(
    { id, raw, body }: FastifyRequest,
    match: Match,
    target: Target,
    query: Record<string, string>,
  ): Call {
    const { addresses, allowedOrigins } = this.#parts;
    return {
      requestId: id,
      basePath: match.basePath,
      template: match.template,
      path: match.path,
      query,
      body: () => readJson(body),
      presented: presentedIn(target.query.get('alf_ticket'), raw.headers.authorization),
      acceptLanguage: raw.headers['accept-language'],
      address: addresses.of(raw),
      crossSite: isCrossSite(raw.headers, allowedOrigins, addresses.isBehindProxy(raw)),
    };
  }

  #options(reply: FastifyReply, match: Match): FastifyReply {
    const methods = allowedMethods(match.operations);
    if (reply.hasHeader('access-control-allow-origin')) {
      reply.header('access-control-allow-methods', methods);
      reply.header('access-control-allow-headers', 'Authorization, Content-Type, X-Requested-With');
      reply.header('access-control-max-age', '600');
    }
    return reply.code(204).header('allow', methods).send();
  }
}
