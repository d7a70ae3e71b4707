import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiAt } from '../api.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Call } from '../gate/call.ts';
import type { Execute } from '../gate/execute.ts';
import type { AnyOperation } from '../operation.ts';
import { Bodies } from './bodies.ts';
import { readJson } from './body.ts';
import type { ClientAddresses } from './client-address.ts';
import { presentedIn } from './credentials.ts';
import { isCrossSite } from './cross-site.ts';
import { type Destination, destinationOf } from './destination.ts';
import { readForm } from './form.ts';
import { sendAnswer, sendRefusal } from './reply.ts';
import type { FindRoute } from './routes.ts';

/** What a request line and the metrics tell of a request. */
export interface Told {
  operation?: AnyOperation;
  refusal?: Refusal;
  user?: string;
  digest?: string;
  client?: string;
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

/** Handles requests: from the bytes of a request to the gate, and from its outcome to the bytes of an answer. */
export class Handler {
  readonly #parts: HandlerParts;
  readonly #bodies = new Bodies();

  constructor(parts: HandlerParts) {
    this.#parts = parts;
  }

  handle(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const found = this.#find(request);
    if ('methods' in found) return this.#options(reply, found.methods);
    if ('refusal' in found) {
      if (found.allow !== undefined) reply.header('allow', found.allow);
      return this.#refuse(reply, found.refusal, found);
    }
    return this.#execute(this.#call(request, found), found, reply);
  }

  /** Refuses a request that could not be read to its end, in the format of where it leads. */
  refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
    const found = this.#find(request);
    return this.#refuse(reply, refusal, 'methods' in found ? {} : found);
  }

  #find({ originalUrl, raw }: FastifyRequest): ReturnType<typeof destinationOf> {
    return destinationOf(originalUrl, raw, this.#parts.find);
  }

  #refuse(reply: FastifyReply, refusal: Refusal, { operation, format }: Partial<Destination>): FastifyReply {
    Object.assign(reply.request.told, { refusal, operation });
    const api = operation === undefined ? apiAt(reply.request.originalUrl) : operation.api;
    return sendRefusal(reply, refusal, { api, format }, this.#parts.clock());
  }

  async #execute(call: Call, destination: Destination, reply: FastifyReply): Promise<FastifyReply> {
    const { operation, format, query } = destination;
    const { told } = reply.request;
    told.operation = operation;
    told.address = call.address;
    told.passwordInUrl = operation.takesPassword === 'url' && query.pw !== undefined;
    const execute = this.#parts.ways.get(operation) as Execute;
    const { result, user, digest, client } = await execute(call);
    if (user !== undefined) told.user = user;
    if (digest !== undefined) told.digest = digest;
    if (client !== undefined) told.client = client;
    if (isRefusal(result)) return this.#refuse(reply, result, destination);
    return sendAnswer(reply, this.#bodies.of(operation, result, format), operation, result);
  }

  #call({ id, raw, body }: FastifyRequest, { operation, match, target, query }: Destination): Call {
    const { addresses, allowedOrigins } = this.#parts;
    return {
      requestId: id,
      basePath: match.basePath,
      template: match.template,
      path: match.path,
      query,
      body: () => (operation.bodyStyle === 'form' ? readForm(body) : readJson(body)),
      presented: presentedIn(target.query.get('alf_ticket'), raw.headers.authorization),
      acceptLanguage: raw.headers['accept-language'],
      address: addresses.of(raw),
      crossSite: isCrossSite(raw.headers, allowedOrigins, addresses.isBehindProxy(raw)),
    };
  }

  #options(reply: FastifyReply, methods: string): FastifyReply {
    if (reply.hasHeader('access-control-allow-origin')) {
      reply.header('access-control-allow-methods', methods);
      reply.header('access-control-allow-headers', 'Authorization, Content-Type, X-Requested-With');
      reply.header('access-control-max-age', '600');
    }
    return reply.code(204).header('allow', methods).send();
  }
}
