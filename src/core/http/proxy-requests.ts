import type { Refusal } from '../domain/refusal.ts';
import type { Call } from '../gate/call.ts';
import type { Page } from '../representations/representation.ts';
import type { HttpRequest } from './http-request.ts';

/** The answer to a person in place of a refusal for programs. */
export interface RefusalForPerson {
  /** The address of the sign-in page. */
  readonly location?: string | undefined;
  /** Whether the service redirects there itself. If not, the proxy does so by the header `Location` of a 401. */
  readonly redirects?: boolean;
  readonly page?: Page;
}

/** Serves requests in which a proxy asks about a request to another service: those of operations with `anyRequest`. */
export interface ProxyRequests {
  /** The header in which a proxy sends the address of the other request, in small letters; empty if none is set. */
  readonly uriHeader: string;
  /** What the call says about the other request, for the rules that decide first. */
  partOfCall(request: HttpRequest): Partial<Call>;
  /** The answer to a person who sent the other request; undefined for a program. `user` is the name of the signed-in user. */
  refusalForPerson(
    request: HttpRequest,
    refusal: Refusal,
    user: string | undefined,
  ): RefusalForPerson | undefined;
}
